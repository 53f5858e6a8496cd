import { graphql } from "./gql.ts";

// const Old = gql`query Old { removed }`;
const Articles = graphql(`
  query Articles($first: Int, $after: String) {
    articles(first: $first, after: $after) { ...Row }
  }
`);

const Publish = /* GraphQL */ `
  mutation Publish($input: PublishInput!) {
    frobArticle(input: $input) { article { ...Row isPublished } errors { message } clientMutationId }
  }
`;

export const DOCUMENTS = [Articles, Publish, /["'`]/, "it's"];
