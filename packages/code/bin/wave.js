#!/usr/bin/env node
// The launcher is committed JavaScript: npm links a bin only if the file exists at install time.
import module from "node:module";
import { fileURLToPath } from "node:url";

const NEEDED = 24;

if (Number(process.versions.node.split(".")[0]) >= NEEDED) {
  module.enableCompileCache?.();
  await import("../dist/cli.js");
} else {
  const { findNode, launch } = await import("./launch.js");
  const binary = findNode();
  if (binary) {
    launch(binary, [fileURLToPath(import.meta.url), ...process.argv.slice(2)]);
  } else {
    process.stderr.write(
      `wave: needs Node ${NEEDED} or newer, this is ${process.version}. Install Node ${NEEDED}, or run wave through npm.\n`,
    );
    process.exitCode = 1;
  }
}
