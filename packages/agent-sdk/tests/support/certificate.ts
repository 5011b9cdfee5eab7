import { generateKeyPairSync, sign } from "node:crypto";

/** A certificate for one IPv4 address that signs itself, made on the spot, so that no key lies in the repository. */
export function selfSigned(address: string): { cert: string; key: string } {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = sequence(tlv(0x31, sequence(COMMON_NAME, tlv(0x0c, Buffer.from("wave test")))));
  const year = new Date().getUTCFullYear() % 100;
  const day = (yearOfDay: number): Buffer =>
    tlv(0x17, Buffer.from(`${String(yearOfDay).padStart(2, "0")}0101000000Z`));
  const addresses = sequence(tlv(0x87, Buffer.from(address.split(".").map(Number))));
  const certificate = sequence(
    tlv(0xa0, tlv(0x02, Buffer.from([2]))),
    tlv(0x02, Buffer.from([1])),
    ECDSA_SHA256,
    name,
    sequence(day(year - 1), day(year + 2)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    tlv(0xa3, sequence(sequence(ALTERNATIVE_NAMES, tlv(0x04, addresses)))),
  );
  const signature = sign("sha256", certificate, privateKey);
  const der = sequence(certificate, ECDSA_SHA256, tlv(0x03, Buffer.from([0]), signature));
  const lines = der.toString("base64").replaceAll(/.{64}/g, "$&\n");
  const key = privateKey.export({ type: "pkcs8", format: "pem" });
  return { cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`, key: String(key) };
}

/** Tag, length, value: everything in a certificate is one of these. */
function tlv(tag: number, ...parts: Buffer[]): Buffer {
  const value = Buffer.concat(parts);
  const long = value.length > 255 ? [0x82, value.length >> 8, value.length & 255] : [0x81, value.length];
  return Buffer.concat([Buffer.from([tag, ...(value.length < 128 ? [value.length] : long)]), value]);
}

function sequence(...parts: Buffer[]): Buffer {
  return tlv(0x30, ...parts);
}

const COMMON_NAME = Buffer.from("0603550403", "hex");
const ALTERNATIVE_NAMES = Buffer.from("0603551d11", "hex");
const ECDSA_SHA256 = sequence(Buffer.from("06082a8648ce3d040302", "hex"));
