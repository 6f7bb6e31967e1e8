/**
 * The places of a case: as many as it may have documents. A document takes one in the transaction that adds it, and gives
 * it back in the one that removes it, so that their number is exact at every moment. They are in groups, as concurrent
 * transactions on one record delay each other. The groups are made and deleted with the case: no document gets into a
 * case that is gone.
 */
import type { Organization } from "../organizations/organization.ts";
import type { OrgOperation } from "../organizations/organization-records.ts";
import { casePartition } from "../runs/case-place.ts";
import { PLACES_PREFIX, type PlacesRecord, placesKey } from "./case-records.ts";

/** Most documents of a case, by the contract. */
export const MAX_CASE_DOCUMENTS = 200;
/** Groups of places: about as many transactions on one case succeed at the same time. */
const PLACE_GROUPS = 8;
const GROUP_PLACES = MAX_CASE_DOCUMENTS / PLACE_GROUPS;
const GROUPS = Array.from({ length: PLACE_GROUPS }, (_, group) => group);

/** The operations that make the places of a new case. */
export const newPlaces = (caseId: number): OrgOperation[] =>
  GROUPS.map((group) => ({ kind: "put", key: placesKey(caseId, group), value: { v: 1, places: GROUP_PLACES } }));

/** The operations that delete the places of a case. */
export const deletedPlaces = (caseId: number): OrgOperation[] =>
  GROUPS.map((group) => ({ kind: "delete", key: placesKey(caseId, group) }));

/** Takes a place of a group; its condition fails where none is left, or the case is gone. */
export const takePlace = (caseId: number, group: number): OrgOperation => ({
  kind: "add",
  key: placesKey(caseId, group),
  amounts: { places: -1 },
  floor: { places: 0 },
});

/** Gives a place back. */
export const returnPlace = (caseId: number, group: number): OrgOperation => ({
  kind: "add",
  key: placesKey(caseId, group),
  amounts: { places: 1 },
});

/** Free places by group; empty for a case that is gone. */
export async function loadPlaces({ records }: Organization, caseId: number): Promise<number[]> {
  const { items } = await records.query<PlacesRecord>({ partition: casePartition(caseId), prefix: PLACES_PREFIX });
  return items.map(({ value }) => value.places);
}

/** A group with a free place; requests begin at different ones. @returns undefined for a full case */
export function pickGroup(free: readonly number[], documentId: string): number | undefined {
  const first = Number.parseInt(documentId.slice(-2), 16) % PLACE_GROUPS;
  return GROUPS.map((group) => (first + group) % PLACE_GROUPS).find((group) => (free[group] ?? 0) > 0);
}

/** Number of documents in a case. */
export const documentCount = (free: readonly number[]): number =>
  MAX_CASE_DOCUMENTS - free.reduce((sum, places) => sum + places, 0);
