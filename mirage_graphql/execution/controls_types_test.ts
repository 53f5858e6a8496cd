import type { DocumentTypeDecoration, TypedDocumentNode } from "@graphql-typed-document-node/core";
import { parse } from "graphql";
import { deepStrictEqual } from "node:assert/strict";
import { createRouteHandler } from "../http/route_handler.ts";
import { personSchema } from "../testing/person_schema.ts";
import { createExecutor } from "./executor.ts";

// these declarations have the form that GraphQL Code Generator creates
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
type InputMaybe<T> = T | null;

interface HelloQuery {
  hello: string | null;
}

type HelloQueryVariables = Exact<{ name?: InputMaybe<string> }>;
type NoVariables = Exact<{ [key: string]: never }>;

class TypedDocumentString<Result, Variables> extends String
  implements DocumentTypeDecoration<Result, Variables> {
  __apiType?: (variables: Variables) => Result;
}

const { query } = createRouteHandler(createExecutor(personSchema(), { mockSchema: {} }));

Deno.test("query() accepts the string form of typed documents", async () => {
  const document = new TypedDocumentString<HelloQuery, HelloQueryVariables>(
    "query Hello($name: String) { hello(name: $name) }",
  );
  const { hello } = await query(document, { name: "Ada" });
  const greeting: string | null = hello;
  deepStrictEqual(greeting, "Hello, Ada");
  // @ts-expect-error the result has no such field
  deepStrictEqual((await query(document)).goodbye, undefined);
});

Deno.test("query() allows omitting the variables if all are optional", async () => {
  const optional: TypedDocumentNode<HelloQuery, HelloQueryVariables> = parse(
    "query Hello($name: String) { hello(name: $name) }",
  );
  const none: TypedDocumentNode<HelloQuery, NoVariables> = parse("{ hello }");
  deepStrictEqual(await query(optional, { name: null }), { hello: "Hello, null" });
  deepStrictEqual(await query(optional), await query(none));
  // @ts-expect-error there is no such variable
  deepStrictEqual(await query(optional, { name: "Ada", other: 1 }), { hello: "Hello, Ada" });
});
