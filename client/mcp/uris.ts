/** Addresses of resources. */

/** A job's id. */
export const GUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** @param page from 1 */
export const pageUri = (guid: string, page: number | string): string => `sheaf://jobs/${guid}/pages/${page}.png`;
/** @param page from 1 */
export const plainPageUri = (guid: string, page: number | string): string =>
  `sheaf://jobs/${guid}/pages/${page}/plain.png`;
export const resultUri = (guid: string): string => `sheaf://jobs/${guid}/result`;
export const filledUri = (template: string, fileName: string): string => `sheaf://filled/${template}/${fileName}`;
