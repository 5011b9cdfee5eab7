/** Which sub-agent something is about; of the main conversation nobody says so. */
export interface SubAgentIdentity {
  id: string;
  /** The name of its definition: "explore", "general", or one of one's own. */
  type: string;
  /** What it was started for, in the words of the model that wanted it. */
  description: string;
  /** The sub-agent that it works for. Absent: the main conversation. */
  parentId?: string;
}
