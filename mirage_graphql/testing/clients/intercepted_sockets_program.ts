import { exerciseIntercepted } from "./intercepted_sockets.ts";

// runs in a page, which has an element for the text, and in Node
const exercised = JSON.stringify(await exerciseIntercepted());
const { document } = globalThis as { document?: { title: string } };
if (document === undefined) console.log(exercised);
else document.title = exercised;
