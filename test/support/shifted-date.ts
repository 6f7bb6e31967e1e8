/** Replaces `Date` of this process by one whose time can be shifted, as if the machine's clock were set. Import it first. */
const RealDate = Date;
let shift = 0;

/** Lets the time jump by so many milliseconds from the real time. */
export function shiftDate(milliseconds: number): void {
  shift = milliseconds;
}

globalThis.Date = new Proxy(RealDate, {
  construct: (target, given, self) =>
    Reflect.construct(target, given.length === 0 ? [RealDate.now() + shift] : given, self),
  get: (target, name) => (name === "now" ? () => RealDate.now() + shift : Reflect.get(target, name)),
});
