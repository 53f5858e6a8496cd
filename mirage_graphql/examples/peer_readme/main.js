import { runExamples } from "./run_examples.js";

const text = JSON.stringify(await runExamples());
if ("document" in globalThis) document.querySelector("#app").textContent = text;
else console.log(text);
