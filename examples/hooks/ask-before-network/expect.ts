import type { HookExample } from "../../support/hookExample.ts";

/** Nothing leaves the machine that tries this example. */
const programs = { curl: '#!/bin/sh\necho "fetched $1"\n' };
const fetching = { call: { name: "Bash", arguments: { command: "cd . && curl https://example.org" } } };

export const example: HookExample = {
  needs: ["bash", "jq"],
  scenes: [
    {
      title: "the command runs when a person agrees",
      programs,
      person: "allow",
      model: [fetching, { say: "Fetched." }],
      expect: { calls: [{ ran: true, result: "fetched https://example.org" }] },
    },
    {
      title: "a person's no ends the turn",
      programs,
      person: "deny",
      model: [fetching],
      expect: { end: "denied", calls: [{ ran: false }] },
    },
    {
      title: "where nobody can be asked the answer is no, and the model goes on",
      programs,
      model: [fetching, { say: "Then without it." }],
      expect: { calls: [{ ran: false, result: "curl uses the network." }] },
    },
    {
      title: "nobody is asked about what stays here",
      model: [
        { call: { name: "Bash", arguments: { command: "echo curling is a sport" } } },
        { say: "Done." },
      ],
      expect: { calls: [{ ran: true, result: "curling is a sport" }] },
    },
  ],
};
