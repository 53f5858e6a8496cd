import { createFetchHandler } from "../mod.ts";
import { createSeedServer } from "./seed_server.ts";

/** What a service worker receives for each request of its pages. */
interface FetchEvent extends Event {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}

const mock = createSeedServer();
const handler = createFetchHandler(
  `
    type Person { id: ID!, name: String! }
    input PersonInput { name: String! }
    type Query { people: [Person!]! }
    type Mutation { createPerson(input: PersonInput!): Person! }
    type Subscription { personCreated: Person! }
  `,
  mock.schema,
);
mock.create("person", { name: "Ada" });

addEventListener("fetch", (event) => {
  if (!isFetchEvent(event)) return;
  if (new URL(event.request.url).pathname === "/graphql") event.respondWith(handler(event.request));
});

function isFetchEvent(event: Event): event is FetchEvent {
  return "respondWith" in event;
}
