import { gql } from "./client.ts";

interface Named {
  readonly id: string;
  readonly name: string;
}

interface Dated {
  readonly id: string;
  readonly at: string;
}

export interface Shoutout extends Dated {
  readonly __typename: "Shoutout";
  readonly text: string;
  readonly from: Named | null;
  readonly to: Named | null;
}

export interface Announcement extends Dated {
  readonly __typename: "Announcement";
  readonly title: string;
  readonly text: string;
}

export interface Arrival extends Dated {
  readonly __typename: "Arrival";
  readonly person: (Named & { readonly title: string }) | null;
}

export type FeedItem = Shoutout | Announcement | Arrival;

export interface FeedPage {
  readonly feed: {
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
    readonly nodes: readonly FeedItem[];
  };
}

const ITEM = `
  __typename
  ... on Shoutout { id at text from { id name } to { id name } }
  ... on Announcement { id at title text }
  ... on Arrival { id at person { id name title } }
`;

export const FEED = gql<FeedPage, { first: number; after?: string }>(`
  query Feed($first: Int!, $after: String) {
    feed(first: $first, after: $after) {
      pageInfo { hasNextPage endCursor }
      nodes { ${ITEM} }
    }
  }
`);

export const FEED_ITEM_CREATED = gql<{ feedItemCreated: FeedItem }>(
  `subscription FeedItemCreated { feedItemCreated { ${ITEM} } }`,
);

export const CREATE_SHOUTOUT = gql<
  { createShoutout: { id: string } },
  { input: { toId: string; text: string } }
>(`
  mutation CreateShoutout($input: NewShoutout!) { createShoutout(input: $input) { id } }
`);
