import { lookup as lookUp, type LookupAddress } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";

/** Addresses that are reached from this machine and not from the internet: itself, the local network, the cloud's own services. */
const PRIVATE = { ipv4: new BlockList(), ipv6: new BlockList() };
for (const [net, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 3],
] as const)
  PRIVATE.ipv4.addSubnet(net, prefix, "ipv4");
for (const [net, prefix] of [
  ["::", 127],
  // Addresses of the older kind inside of the newer one: also public ones, which nobody writes that way.
  ["::ffff:0:0", 96],
  ["64:ff9b::", 96],
  ["2002::", 16],
  ["fc00::", 7],
  ["fe80::", 10],
  ["ff00::", 8],
] as const)
  PRIVATE.ipv6.addSubnet(net, prefix, "ipv6");

export function isPrivateAddress(address: string): boolean {
  const family = isIP(address) === 6 ? "ipv6" : "ipv4";
  return PRIVATE[family].check(address, family);
}

export class PrivateAddress extends Error {
  constructor(host: string, address: string) {
    const where = host === address ? address : `${host} is ${address}, which`;
    super(`${where} is an address of this machine or its network`);
  }
}

/** Looks a name up as usual, and refuses it when any of its addresses is private: what is checked is what is connected to. */
export const publicLookup: LookupFunction = (host, options, done) => {
  lookUp(host, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
    const [first] = addresses ?? [];
    const hidden = (addresses ?? []).find(({ address }) => isPrivateAddress(address));
    if (error ?? hidden ?? !first)
      done(
        error ?? (hidden ? new PrivateAddress(host, hidden.address) : new Error(`${host} has no address`)),
        "",
      );
    else if (options.all) done(null, addresses);
    else done(null, first?.address ?? "", first?.family);
  });
};
