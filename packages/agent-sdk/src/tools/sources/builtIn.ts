import { builtInTools } from "../index.ts";
import { fixedSource, type ToolSource } from "./toolSource.ts";

export const builtInSource = (): ToolSource => fixedSource("built-in", builtInTools());
