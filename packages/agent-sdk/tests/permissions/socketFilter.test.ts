import { expect, it } from "vitest";
import { socketFilter } from "@/permissions/socketFilter.ts";

/** What the kernel would make of a call: 0x7fff0000 allows it, 0x00050000 + n fails it with that number. */
function answer(filter: Buffer, call: { architecture: number; number: number; first?: number }): number {
  const data: Record<number, number> = { 0: call.number, 4: call.architecture, 16: call.first ?? 0 };
  let loaded = 0;
  for (let at = 0; at < filter.length; at += 8) {
    const [code, then, otherwise] = [
      filter.readUInt16LE(at),
      filter.readUInt8(at + 2),
      filter.readUInt8(at + 3),
    ];
    const value = filter.readUInt32LE(at + 4);
    if (code === 0x06) return value;
    if (code === 0x20) loaded = data[value] ?? 0;
    else at += 8 * ((code === 0x15 ? loaded === value : loaded >= value) ? then : otherwise);
  }
  throw new Error("the filter has no end");
}

const [ALLOWED, NO_FAMILY, NO_CALL] = [0x7fff_0000, 0x0005_0061, 0x0005_0026];

it.each([
  ["x64", 0xc000_003e, 41, 53],
  ["arm64", 0xc000_00b7, 198, 199],
] as const)(
  "on %s a command that reads makes no Unix socket, by no way that there is (G33)",
  (name, architecture, socket, pair) => {
    const filter = socketFilter(name);
    if (!filter) throw new Error("no filter");
    const of = (number: number, first?: number) =>
      answer(filter, { architecture, number, ...(first === undefined ? {} : { first }) });
    expect([of(socket, 1), of(socket, 40)]).toEqual([NO_FAMILY, NO_FAMILY]);
    expect([of(socket, 2), of(socket, 10), of(pair, 1), of(0), of(1), of(424), of(428)]).toEqual(
      Array(7).fill(ALLOWED),
    );
    expect([425, 426, 427, 0x4000_0000, 0x4000_0000 + socket].map((number) => of(number, 1))).toEqual(
      Array(5).fill(NO_CALL),
    );
    expect(answer(filter, { architecture: 0x4000_0003, number: 102, first: 1 })).toBe(NO_CALL);
  },
);

it("a machine whose calls are not known has no filter", () => {
  expect(socketFilter("riscv64")).toBeUndefined();
});
