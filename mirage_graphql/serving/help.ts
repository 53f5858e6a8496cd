/** What `--help` prints. */
export const HELP =
  `Serves a GraphQL mock from a schema: files in the schema definition language, folders and globs of
them, the result of an introspection query as JSON, or the URL of a running API.

  deno run -A mirage_graphql/serve.ts schema.graphql [options]
  deno run -A mirage_graphql/serve.ts 'schema/**/*.graphql' [options]
  deno run -A mirage_graphql/serve.ts https://api.example.com/graphql [options]

  --seed <file>              JSON file with the records; without it, sample records are generated
  --port <port>              port to listen on, 4000 by default; 0 takes a free one
  --host <host>              address to listen on, 127.0.0.1 by default
  --config <file>            module in TypeScript or JavaScript with models, resolvers, seeds, and
                             these options; the command line overrides them
  --header <name: value>     header of the request to the URL; repeatable
  --origin <origin>          origin whose pages may read responses and send cookies; repeatable.
                             Without it, pages of any origin may read, but send no cookies
  --batch                    accepts arrays of up to 10 requests
  --latency <ms>             milliseconds that each response takes, or a range such as 100..400
  --fail <name=status>       fails the next operation of that name (*: any) with an HTTP status;
                             repeatable
  --ids <format>             ids in responses: local (default), global (Person:1) or global-base64;
                             they are always unique across all types
  --unknown-arguments <how>  error or ignore (default) for arguments that no rule explains
  --help                     prints this

Queries, mutations and subscriptions work as the field's names and types say; browsers get
GraphiQL. When a file changes, all are read again, and the records with them; errors are reported,
and the last valid version keeps running. A URL is requested once.

The seed file has lists of records by type or collection. Relations are ids, on either side, or
nested records; non-null values that are missing are generated; {} starts without records:

  {
    "people": [{ "id": 1, "name": "Ada", "posts": [{ "title": "One" }, 7] }],
    "posts": [{ "id": 7, "title": "Two" }, { "id": 8, "title": "Three", "author": 1 }]
  }
`;
