// `npm start` alone plays the demo, whatever keys are set and wherever its input comes from; with arguments it is `wave`.
if (process.argv.length === 2) process.argv.push("demo");
await import("../packages/code/bin/wave.js");
