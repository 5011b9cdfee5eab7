/*
 * A filter of system calls, as the kernel reads it: a process that has it makes no socket of the machine's own kind, so it
 * connects to none, whatever name a socket has. What it needs to talk to its own children (socketpair, pipes) stays.
 */

/** Where the kernel puts what a call is, and its first argument. */
const NUMBER = 0;
const ARCHITECTURE = 4;
const FIRST_ARGUMENT = 16;

const LOAD = 0x20;
const IF_EQUAL = 0x15;
const IF_AT_LEAST = 0x35;
const RETURN = 0x06;

const ALLOW = 0x7fff_0000;
const fail = (errno: number) => 0x0005_0000 | errno;
const ENOSYS = 38;
const EAFNOSUPPORT = 97;

const AF_UNIX = 1;
const AF_VSOCK = 40;
/** A queue of calls that the filter would not see. */
const IO_URING = [425, 426, 427];
/** Numbers from here on are a second way to make every call. */
const OTHER_NUMBERS = 0x4000_0000;

const ARCHITECTURES: Readonly<Partial<Record<string, { id: number; socket: number }>>> = {
  x64: { id: 0xc000_003e, socket: 41 },
  arm64: { id: 0xc000_00b7, socket: 198 },
};

type Step = readonly [code: number, value: number, then?: number, otherwise?: number];

/** Undefined for a machine whose numbers of calls are not known here. */
export function socketFilter(architecture: string): Buffer | undefined {
  const known = ARCHITECTURES[architecture];
  if (!known) return undefined;
  const checks = [OTHER_NUMBERS, ...IO_URING];
  // From the end: refuse a family, allow, refuse the call.
  const steps: Step[] = [
    [LOAD, ARCHITECTURE],
    [IF_EQUAL, known.id, 0, checks.length + 7],
    [LOAD, NUMBER],
    ...checks.map((value, at): Step => [at === 0 ? IF_AT_LEAST : IF_EQUAL, value, checks.length - at + 5, 0]),
    [IF_EQUAL, known.socket, 0, 3],
    [LOAD, FIRST_ARGUMENT],
    [IF_EQUAL, AF_UNIX, 2, 0],
    [IF_EQUAL, AF_VSOCK, 1, 0],
    [RETURN, ALLOW],
    [RETURN, fail(EAFNOSUPPORT)],
    [RETURN, fail(ENOSYS)],
  ];
  return Buffer.concat(steps.map(bytesOf));
}

function bytesOf([code, value, then = 0, otherwise = 0]: Step): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(then, 2);
  bytes.writeUInt8(otherwise, 3);
  bytes.writeUInt32LE(value >>> 0, 4);
  return bytes;
}
