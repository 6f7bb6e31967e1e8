/** Classifies IP addresses as public or loopback. */
import ipaddr from "ipaddr.js";

/** RFC 4291, 2.4 and the IANA registry: global unicast is 2000::/3; all else is unassigned or special. */
const GLOBAL_UNICAST = ipaddr.parseCIDR("2000::/3");
/** Non-public addresses inside public ranges: documentation (RFC 9637), and Azure's metadata host. */
const NON_PUBLIC_RANGES = ["3fff::/20", "168.63.129.16/32"].map((range) => ipaddr.parseCIDR(range));

/**
 * True for a plain public address. Private, loopback, link-local (metadata services too), shared (CGNAT), multicast,
 * reserved and documentation ranges are not, nor are IPv6 addresses that embed an IPv4 address (mapped, NAT64, 6to4,
 * Teredo).
 */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== "unicast") return false;
  if (parsed.kind() === "ipv6" && !parsed.match(GLOBAL_UNICAST)) return false;
  return !NON_PUBLIC_RANGES.some((range) => range[0].kind() === parsed.kind() && parsed.match(range));
}

/** True for 127.0.0.0/8 and ::1. */
export const isLoopback = (address: string): boolean =>
  ipaddr.isValid(address) && ipaddr.parse(address).range() === "loopback";
