/**
 * The only thing a tool accepts as its input. A pass is made by the gate after hooks, rules and the person have
 * judged exactly this input, so a tool cannot be run around the gate: without a pass there is nothing to run with.
 */
export class GatePass<Input> {
  readonly #input: Input;
  readonly toolUseId: string;

  private constructor(input: Input, toolUseId: string) {
    this.#input = input;
    this.toolUseId = toolUseId;
  }

  /** Called by gate/gate.ts and by nothing else; a test reads the source tree to prove it. */
  static issue<Input>(input: Input, toolUseId: string): GatePass<Input> {
    // A copy: nobody who still holds the judged object can change what runs.
    return new GatePass(structuredClone(input), toolUseId);
  }

  /** The input to run with. Throws for anything that only looks like a pass. */
  static open<Input>(pass: GatePass<Input>): Input {
    return pass.#input;
  }
}
