import { gql } from "@apollo/client";

const Row = gql`fragment LiveRow on Article { title isOpen @client }`;
const Created = gql`subscription Created { articleCreated { ...LiveRow } } ${Row}`;
const Ticked = gql`subscription Ticked($of: ID!) { ticked(of: $of) { percent } }`;
const Pinned = gql`subscription Pinned { pinned { id } }`;
const Weather = gql`query Weather($place: String!) { weather(place: $place) matrix }`;
const Wrong = gql`query Wrong { articles { nothing } }`;
const Parts = (fields: string) => gql`query Parts { articles { ${fields} } }`;

export const Live = () => <p title="don't">Don't worry: {String([Created, Ticked, Pinned, Weather, Wrong, Parts])}</p>;
