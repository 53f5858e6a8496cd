/** What `--help` prints. */
export const HELP = `Serves a GraphQL mock from a schema file.

  deno run -A mirage_graphql/serve.ts schema.graphql [options]

  --seed <file>   JSON file with the records; without it, some are made up that fit the types
  --port <port>   port to listen on, 4000 by default; 0 takes a free one
  --host <host>   address to listen on, 127.0.0.1 by default
  --help          prints this

Queries, mutations and subscriptions work as the field's names and types say; browsers get
GraphiQL. Both files are read again when they change, and the records with them; a file that is
broken is told of, and the last good one stays.

The seed file has lists of records by type or collection. Relations are ids, on either side, or
nested records; {} starts without records:

  {
    "people": [{ "id": 1, "name": "Ada", "posts": [{ "title": "One" }, 7] }],
    "posts": [{ "id": 7, "title": "Two" }, { "id": 8, "title": "Three", "author": 1 }]
  }
`;
