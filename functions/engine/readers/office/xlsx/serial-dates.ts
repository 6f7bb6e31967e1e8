/** Serial dates of sheets (ECMA-376 part 1, 18.17.4). */

export type DateSystem = 1900 | 1904;

const DAY_MS = 86_400_000;
/** Day 0 of each system; the 1900 system counts a 29 February 1900 that did not exist. */
const EPOCH_MS: Readonly<Record<DateSystem, number>> = { 1900: Date.UTC(1899, 11, 30), 1904: Date.UTC(1904, 0, 1) };
const FALSE_LEAP_DAY_SERIAL = 60;
/** 31 December 9999 in the 1900 system. */
const MAX_SERIAL = 2_958_465;

export interface Moment {
  year: number;
  /** From 1. */
  month: number;
  day: number;
  /** From 0, Sunday. */
  weekday: number;
  hour: number;
  minute: number;
  second: number;
  /** Thousandths. */
  millisecond: number;
}

/** The moment of a serial number; undefined for an invalid date. */
export function toMoment(serial: number, system: DateSystem): Moment | undefined {
  if (!(serial >= 0 && serial < MAX_SERIAL + 1)) return undefined;
  const isFalse = system === 1900 && Math.floor(serial) === FALSE_LEAP_DAY_SERIAL;
  const shift = system === 1900 && serial < FALSE_LEAP_DAY_SERIAL + 1 ? 1 : 0;
  const at = new Date(EPOCH_MS[system] + Math.round((serial + shift) * DAY_MS));
  return {
    year: at.getUTCFullYear(),
    month: isFalse ? 2 : at.getUTCMonth() + 1,
    day: isFalse ? 29 : at.getUTCDate(),
    weekday: at.getUTCDay(),
    hour: at.getUTCHours(),
    minute: at.getUTCMinutes(),
    second: at.getUTCSeconds(),
    millisecond: at.getUTCMilliseconds(),
  };
}

export const padNumber = (value: number, width = 2): string => String(value).padStart(width, "0");

/**
 * A serial number in ISO 8601: a date, a time of day for a serial below one, or both, to the second; with thousandths
 * where there are any. Undefined for an invalid date.
 */
export function toIso(serial: number, system: DateSystem, timeOnly: boolean): string | undefined {
  const moment = toMoment(serial, system);
  if (moment === undefined) return undefined;
  const { year, month, day, hour, minute, second, millisecond } = moment;
  const part = millisecond === 0 ? "" : `.${padNumber(millisecond, 3)}`;
  const time = `${padNumber(hour)}:${padNumber(minute)}:${padNumber(second)}${part}`;
  const date = `${padNumber(year, 4)}-${padNumber(month)}-${padNumber(day)}`;
  if (timeOnly && serial < 1) return time;
  return hour === 0 && minute === 0 && second === 0 && millisecond === 0 ? date : `${date}T${time}`;
}
