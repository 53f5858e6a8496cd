import { Buffer } from "node:buffer";
import { createHmac, createPublicKey } from "node:crypto";
import { calculateJwkThumbprint, exportJWK, exportSPKI, generateKeyPair } from "jose";
import { secondsFromNow, type SigningKey } from "./issuer.ts";

/** Tokens by what is wrong with them. */
export type Forgeries = Readonly<Record<string, string>>;

/** What an attacker knows, and wants to be. */
export interface ForgeryTarget {
  readonly issuer: string;
  readonly resource: string;
  /** The key of the issuer; an attacker knows its public part only. */
  readonly key: SigningKey;
  /** A site of the attacker, which a server must never ask. */
  readonly site: string;
}

/** A part of a token: a value, or a text as it is. */
type Part = object | string;

const SIGN = { name: "ECDSA", hash: "SHA-256" };
const encode = (part: Part) =>
  Buffer.from(typeof part === "string" ? part : JSON.stringify(part)).toString("base64url");

/** Signs any two parts with ES256, whatever they say. */
export async function signParts(header: Part, claims: Part, key: CryptoKey): Promise<string> {
  const input = `${encode(header)}.${encode(claims)}`;
  const signature = await crypto.subtle.sign(SIGN, key, new TextEncoder().encode(input));
  return `${input}.${Buffer.from(signature).toString("base64url")}`;
}

/** The claims of a good token. */
export function goodClaims({ issuer, resource }: ForgeryTarget): Record<string, unknown> {
  return {
    iss: issuer,
    sub: "alice",
    aud: resource,
    exp: secondsFromNow(300),
    scope: "admin",
  };
}

/** Tokens without a signature, with each spelling of the algorithm that means so. */
export function unsigned(target: ForgeryTarget): Forgeries {
  const claims = encode(goodClaims(target));
  const spellings = ["none", "None", "NONE", "nOnE", "none ", " none", "nοne", "", null, 0];
  return Object.fromEntries(
    spellings.flatMap((alg) => {
      const input = `${encode({ alg, kid: target.key.kid, typ: "at+jwt" })}.${claims}`;
      return [
        [`alg ${JSON.stringify(alg)}, no signature`, `${input}.`],
        [`alg ${JSON.stringify(alg)}, any signature`, `${input}.AAAA`],
      ];
    }),
  );
}

/** Tokens signed with the public key as if it were a secret, in each of its spellings. */
export async function signedWithPublicKey(target: ForgeryTarget): Promise<Forgeries> {
  const { publicKey, kid } = target.key;
  const pem = await exportSPKI(publicKey);
  const der = Buffer.from(await crypto.subtle.exportKey("spki", publicKey));
  const { kty, crv, x = "", y = "" } = await exportJWK(publicKey);
  const point = Buffer.concat([Buffer.from(x, "base64url"), Buffer.from(y, "base64url")]);
  const published = { kty, use: "sig", kid, alg: "ES256", crv, x, y };
  const lines = pem.trim().split("\n");
  const secrets: Readonly<Record<string, string | Buffer>> = {
    "PEM": pem,
    "PEM with a line break": `${pem.trim()}\n`,
    "PEM without a line break": pem.trim(),
    "PEM of Windows": lines.join("\r\n"),
    "PEM of node": createPublicKey(pem).export({ type: "spki", format: "pem" }).toString(),
    "base64 lines of PEM": lines.slice(1, -1).join("\n"),
    "base64": der.toString("base64"),
    "base64url": der.toString("base64url"),
    "hexadecimal": der.toString("hex"),
    "DER": der,
    "JWK": JSON.stringify({ kty, crv, x, y }),
    "JWK of the thumbprint": JSON.stringify({ crv, kty, x, y }),
    "JWK as published": JSON.stringify(published),
    "key set as published": JSON.stringify({ keys: [published] }),
    "point": point,
    "point with its prefix": Buffer.concat([Buffer.from([4]), point]),
    "x": Buffer.from(x, "base64url"),
    "x in base64url": x,
    "id of the key": kid,
    "nothing": "",
    "zero": Buffer.alloc(32),
  };
  const claims = encode(goodClaims(target));
  return Object.fromEntries(
    Object.entries(secrets).flatMap(([spelling, secret]) =>
      ["HS256", "HS384", "HS512"].flatMap((alg) =>
        [{ kid }, {}].map((named) => {
          const input = `${encode({ alg, typ: "at+jwt", ...named })}.${claims}`;
          const hash = `sha${alg.slice(2)}`;
          const signature = createHmac(hash, secret).update(input).digest("base64url");
          const name = `${alg} with the public key as ${spelling}${
            "kid" in named ? "" : ", no kid"
          }`;
          return [name, `${input}.${signature}`];
        })
      )
    ),
  );
}

/** Tokens that the issuer did sign, but not for this. */
export async function signedForOthers(target: ForgeryTarget): Promise<Forgeries> {
  const { key: { privateKey, kid } } = target;
  const header = { alg: "ES256", kid, typ: "at+jwt" };
  const good = goodClaims(target);
  const text = JSON.stringify(good);
  const signed = [
    ...Object.entries(foreignClaims(target)).map(([name, own]) =>
      [name, header, { ...good, ...own }] as const
    ),
    ...Object.entries(foreignHeaders()).map(([name, own]) =>
      [name, { ...header, ...own }, good] as const
    ),
    ["audience twice", header, `${text.slice(0, -1)},"aud":"https://other.example.org"}`],
    ["expiry twice", header, `${text.slice(0, -1)},"exp":1}`],
    ["claims that are a list", header, [good]],
    ["claims that are null", header, "null"],
    ["claims that are no JSON", header, text.slice(1)],
    ["header that is no JSON", "{", good],
    ["header that is a list", [header], good],
  ] as const;
  return Object.fromEntries(
    await Promise.all(signed.map(async ([name, head, payload]) => [
      `signed by the issuer: ${name}`,
      await signParts(head, payload, privateKey),
    ])),
  );
}

/** Claims that make a token one for something else, by what is wrong with them. */
function foreignClaims({ issuer, resource }: ForgeryTarget): Readonly<Record<string, object>> {
  return {
    "another audience": { aud: "https://other.example.org/mcp" },
    "no audience": { aud: undefined },
    "an audience in other case": { aud: resource.toUpperCase() },
    "an audience with a slash": { aud: `${resource}/` },
    "a part of the audience": { aud: new URL(resource).origin },
    "an audience that contains this one": { aud: `${resource},https://other.example.org` },
    "a list of other audiences": { aud: ["https://other.example.org", `${resource}/a`] },
    "an empty list of audiences": { aud: [] },
    "a nested audience": { aud: [[resource]] },
    "an audience that is an object": { aud: { [resource]: true } },
    "a client as the audience": { aud: "client-1", azp: resource },
    "another issuer": { iss: "https://login.example.org" },
    "an issuer with a slash": { iss: `${issuer}/` },
    "a list of issuers": { iss: [issuer] },
    "no issuer": { iss: undefined },
    "expired": { exp: secondsFromNow(-60) },
    "expired long ago": { exp: 1 },
    "no expiry": { exp: undefined },
    "an expiry that is a text": { exp: String(secondsFromNow(300)) },
    "an expiry of null": { exp: null },
    "an endless expiry": { exp: "1e999" },
    "valid in a minute": { nbf: secondsFromNow(60) },
    "valid in a year": { nbf: secondsFromNow(31_536_000) },
    "nbf that is a text": { nbf: "0" },
    "no subject": { sub: undefined },
    "an empty subject": { sub: "" },
    "a subject that is a number": { sub: 1 },
    "a subject with a line break": { sub: "alice\nadmin" },
    "bound to a key": { cnf: { jkt: "x" } },
    "an ID token with this audience": { at_hash: "x", nonce: "y" },
    "a logout token": { events: { "http://schemas.openid.net/event/backchannel-logout": {} } },
  };
}

/** Headers that make a token one of another kind, by what is wrong with them. */
function foreignHeaders(): Readonly<Record<string, object>> {
  return {
    "the type of a logout token": { typ: "logout+jwt" },
    "the type of a proof": { typ: "dpop+jwt" },
    "a type that is a number": { typ: 1 },
    "crit of a known claim": { crit: ["exp"], exp: secondsFromNow(300) },
    "crit of something unknown": { crit: ["http://example.org/x"], "http://example.org/x": true },
    "crit of something absent": { crit: ["absent"] },
    "an empty crit": { crit: [] },
    "crit that is a text": { crit: "alg" },
    "a payload that is not encoded": { b64: false, crit: ["b64"] },
    "an algorithm in a list": { alg: ["ES256"] },
    "another curve": { alg: "ES384" },
    "another kind of key": { alg: "RS256" },
    "an unknown algorithm": { alg: "ES256K" },
  };
}

/** Tokens that an attacker signed, and that say where the key is. */
export async function signedByAttacker(target: ForgeryTarget): Promise<Forgeries> {
  const { site, key: { kid } } = target;
  const pair = await generateKeyPair("ES256", { extractable: true });
  const jwk = await exportJWK(pair.publicKey);
  const own = await calculateJwkThumbprint(jwk);
  const headers: Readonly<Record<string, object>> = {
    "the id of the issuer's key": { kid },
    "no id of a key": {},
    "the id of its own key": { kid: own },
    "jwk": { jwk },
    "jwk with the id of the issuer's key": { kid, jwk: { ...jwk, kid } },
    "jku": { jku: `${site}/keys`, kid: own },
    "jku with the id of the issuer's key": { jku: `${site}/keys`, kid },
    "jku of a file": { jku: "file:///dev/null", kid: own },
    "x5u": { x5u: `${site}/certificate`, kid },
    "x5c": { x5c: ["MIIB"], kid },
    "x5t": { x5t: "AAAA", "x5t#S256": "AAAA", kid },
    "crit of jku": { jku: `${site}/keys`, crit: ["jku"], kid },
    "a path as the id": { kid: "../../../../dev/null" },
    "a URL as the id": { kid: `${site}/keys` },
    "SQL as the id": { kid: "x' UNION SELECT 'key' --" },
    "a command as the id": { kid: "$(touch /tmp/forged)" },
    "a long id": { kid: "a".repeat(8_000) },
    "an id that is a list": { kid: [kid] },
    "an id that is an object": { kid: { toString: kid } },
    "an id that is null": { kid: null },
    "the id __proto__": { kid: "__proto__" },
  };
  const claims = goodClaims(target);
  return Object.fromEntries(
    await Promise.all(
      Object.entries(headers).map(async ([name, header]) => [
        `signed by an attacker: ${name}`,
        await signParts({ alg: "ES256", typ: "at+jwt", ...header }, claims, pair.privateKey),
      ]),
    ),
  );
}

/** Good tokens that were changed. */
export async function changed(target: ForgeryTarget): Promise<Forgeries> {
  const { key: { privateKey, kid } } = target;
  const header = { alg: "ES256", kid, typ: "at+jwt" };
  const weak = { ...goodClaims(target), scope: "tools:read" };
  const token = await signParts(header, weak, privateKey);
  const [head = "", payload = "", signature = ""] = token.split(".");
  const bytes = Buffer.from(signature, "base64url");
  const other = (await signParts(header, { ...weak, sub: "bob" }, privateKey)).split(".")[2];
  const signatures: Readonly<Record<string, string | undefined>> = {
    "no signature": "",
    "a signature of zeros": Buffer.alloc(64).toString("base64url"),
    "a signature of one zero": "AA",
    "the order of the curve": Buffer.from(ORDER.repeat(2), "hex").toString("base64url"),
    "a signature with s of zero": Buffer.concat([bytes.subarray(0, 32), Buffer.alloc(32)])
      .toString("base64url"),
    "a shorter signature": bytes.subarray(0, 63).toString("base64url"),
    "a longer signature": Buffer.concat([bytes, Buffer.alloc(1)]).toString("base64url"),
    "a signature of ASN.1": toAsn1(bytes).toString("base64url"),
    "the signature of another token": other,
  };
  const nested = { ...header, cty: "JWT" };
  return {
    ...Object.fromEntries(
      Object.entries(signatures).map(([name, one]) => [name, `${head}.${payload}.${one}`]),
    ),
    "more scopes": `${head}.${encode({ ...weak, scope: "admin" })}.${signature}`,
    "claims twice": `${head}.${
      encode(`${JSON.stringify(weak).slice(0, -1)},"scope":"admin"}`)
    }.${signature}`,
    "another header": `${encode({ ...header, alg: "none" })}.${payload}.${signature}`,
    "a token in a token": await signParts(nested, token, privateKey),
    "an encrypted token": `${encode({ alg: "dir", enc: "A256GCM" })}..AAAA.AAAA.AAAA`,
    "a part too few": `${head}.${payload}`,
    "a part too many": `${token}.${signature}`,
    "padding": `${token}==`,
    "two tokens": `${token},${token}`,
    "100 kB of signature": `${head}.${payload}.${"A".repeat(100_000)}`,
    "100 kB of claims": await signParts(header, { ...weak, x: "a".repeat(100_000) }, privateKey),
  };
}

/** The order of the curve P-256. */
const ORDER = "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551";

/** The other form of a signature, which JWS does not use. */
function toAsn1(signature: Buffer): Buffer {
  const integer = (bytes: Buffer) => Buffer.concat([Buffer.from([2, 33, 0]), bytes]);
  const body = Buffer.concat([
    integer(signature.subarray(0, 32)),
    integer(signature.subarray(32)),
  ]);
  return Buffer.concat([Buffer.from([48, body.length]), body]);
}
