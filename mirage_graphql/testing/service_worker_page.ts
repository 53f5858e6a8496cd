/** Runs in a page: returns the responses of the mock in its service worker. */
export async function askWorker(): Promise<object> {
  const query = await (await post("{ people { name } }")).json();
  const page = (await fetch("/graphql", { headers: { Accept: "text/html" } })).status;
  const stream = await post("subscription { personCreated { name } }", "text/event-stream");
  await post('mutation { createPerson(input: { name: "Zoë" }) { id } }');
  return { query, page, events: await firstEvent(stream) };
}

function post(query: string, accept = "application/json"): Promise<Response> {
  return fetch("/graphql", {
    method: "POST",
    headers: { "Content-Type": "application/json", "Accept": accept },
    body: JSON.stringify({ query }),
  });
}

async function firstEvent({ body }: Response): Promise<string | undefined> {
  let text = "";
  for await (const part of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += part;
    const event = /event: next\ndata: .*(?=\n)/.exec(text);
    if (event !== null) return event[0];
  }
  return undefined;
}
