import { beyondReach, type Sightings } from "../walk/sightings.ts";

/** Words of the line may mean something else from here on, if there is a reason for it. */
export function rebound(seen: Sightings, why: string | undefined): void {
  if (why !== undefined) beyondReach(seen, why);
}
