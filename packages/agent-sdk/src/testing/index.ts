export { checkRequest } from "./wires/checkRequest.ts";
export { startScriptedModel } from "./scriptedModel.ts";
export type { ScriptedModel, ScriptedModelOptions, ServerRule } from "./scriptedModel.ts";
export type {
  RawReply,
  Scenario,
  ScriptedCall,
  ScriptedMessage,
  ScriptedReply,
  ScriptedRequest,
  ScriptedRequestBody,
  ScriptedUsage,
  SpokenReply,
  StatusReply,
} from "./scenario.ts";
export { VENDORS } from "./vendors.ts";
export type { VendorServer } from "./vendors.ts";
