import { gql } from "./client.ts";

export type Presence = "AVAILABLE" | "BUSY" | "AWAY";
export type PersonSort = "NAME" | "NEWEST";

export interface TeamName {
  readonly id: string;
  readonly name: string;
}

/** What a card shows. */
export interface PersonSummary {
  readonly id: string;
  readonly name: string;
  readonly title: string;
  readonly city: string;
  readonly presence: Presence;
  readonly team: TeamName | null;
}

export interface Person extends PersonSummary {
  readonly email: string;
  readonly bio: string | null;
  readonly startedOn: string;
  readonly team: (TeamName & { purpose: string; members: PersonSummary[] }) | null;
  readonly received: readonly Thanks[];
}

export interface Thanks {
  readonly id: string;
  readonly at: string;
  readonly text: string;
  readonly from: { readonly id: string; readonly name: string } | null;
}

export interface PersonInput {
  name: string;
  title: string;
  email: string;
  city: string;
  bio: string;
  presence: Presence;
  teamId: string | null;
}

export interface PeopleFilter {
  readonly search?: string;
  readonly team?: string;
  readonly presence?: Presence;
  readonly sort: PersonSort;
}

export interface PeoplePage {
  readonly people: {
    readonly totalCount: number;
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
    readonly nodes: readonly PersonSummary[];
  };
}

const SUMMARY = "id name title city presence team { id name }";
const THANKS = "id at text from { id name }";

export const PEOPLE = gql<PeoplePage, PeopleFilter & { first: number; after?: string }>(`
  query People(
    $first: Int!, $after: String, $search: String, $team: ID, $presence: Presence, $sort: PersonSort
  ) {
    people(
      first: $first, after: $after, search: $search, team: $team, presence: $presence, sort: $sort
    ) {
      totalCount
      pageInfo { hasNextPage endCursor }
      nodes { ${SUMMARY} }
    }
  }
`);

export const PERSON = gql<{ person: Person | null }, { id: string }>(`
  query Person($id: ID!) {
    person(id: $id) {
      ${SUMMARY}
      email
      bio
      startedOn
      team { purpose members { ${SUMMARY} } }
      received { ${THANKS} }
    }
  }
`);

export const THANKS_RECEIVED = gql<{ shoutoutCreated: Thanks }, { toId: string }>(`
  subscription ThanksReceived($toId: ID!) { shoutoutCreated(toId: $toId) { ${THANKS} } }
`);

export const TEAMS = gql<{ teams: TeamName[] }>("query Teams { teams { id name } }");

export const VIEWER = gql<{ viewer: PersonSummary }>(`query Viewer { viewer { ${SUMMARY} } }`);

export const NAMES = gql<{ people: { nodes: { id: string; name: string }[] } }>(
  "query Names { people(sort: NAME) { nodes { id name } } }",
);

export const CREATE_PERSON = gql<{ createPerson: PersonSummary }, { input: PersonInput }>(`
  mutation CreatePerson($input: NewPerson!) { createPerson(input: $input) { ${SUMMARY} } }
`);

export const UPDATE_PERSON = gql<
  { updatePerson: PersonSummary },
  { id: string; input: Partial<PersonInput> }
>(`
  mutation UpdatePerson($id: ID!, $input: PersonChanges!) {
    updatePerson(id: $id, input: $input) { ${SUMMARY} }
  }
`);

export const DELETE_PERSON = gql<{ deletePerson: { name: string } }, { id: string }>(`
  mutation DeletePerson($id: ID!) { deletePerson(id: $id) { name } }
`);
