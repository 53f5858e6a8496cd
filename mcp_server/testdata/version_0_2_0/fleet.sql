SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;
CREATE SCHEMA old_fleet;
SET default_tablespace = '';
SET default_table_access_method = heap;
CREATE TABLE old_fleet.call (
    job bigint NOT NULL,
    call text NOT NULL
);
CREATE TABLE old_fleet.command (
    seq bigint NOT NULL,
    job bigint NOT NULL,
    kind text NOT NULL,
    bytes bytea
);
ALTER TABLE old_fleet.command ALTER COLUMN seq ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME old_fleet.command_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE old_fleet.job (
    seq bigint NOT NULL,
    id text NOT NULL,
    server uuid,
    server_name text,
    attempt integer DEFAULT 1 NOT NULL,
    retries integer DEFAULT 0 NOT NULL,
    route text,
    caller text NOT NULL,
    tool text NOT NULL,
    state text NOT NULL,
    stdin boolean NOT NULL,
    created bigint NOT NULL,
    started bigint,
    ended bigint,
    expires bigint,
    output_bytes bigint NOT NULL,
    stdout bigint DEFAULT 0 NOT NULL,
    stderr bigint DEFAULT 0 NOT NULL,
    events integer DEFAULT 0 NOT NULL,
    error text,
    idempotency_key text,
    digest text
);
ALTER TABLE old_fleet.job ALTER COLUMN seq ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME old_fleet.job_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE old_fleet.journal (
    job bigint NOT NULL,
    number integer NOT NULL,
    stdout bigint NOT NULL,
    stderr bigint NOT NULL,
    entry text NOT NULL
);
CREATE TABLE old_fleet.outcome (
    job bigint NOT NULL,
    outcome text NOT NULL
);
CREATE TABLE old_fleet.output (
    job bigint NOT NULL,
    stream smallint NOT NULL,
    start bigint NOT NULL,
    bytes bytea NOT NULL
);
CREATE TABLE old_fleet.server (
    id uuid NOT NULL,
    name text NOT NULL,
    labels text[] NOT NULL,
    version text NOT NULL,
    machine text NOT NULL,
    runs integer DEFAULT 0 NOT NULL,
    queue integer DEFAULT 0 NOT NULL,
    seen timestamp with time zone DEFAULT now() NOT NULL,
    lease_until timestamp with time zone NOT NULL,
    left_jobs text[]
);
CREATE TABLE old_fleet.version (
    version integer NOT NULL
);
INSERT INTO old_fleet.job OVERRIDING SYSTEM VALUE VALUES (2, '1acd090a-a88b-4911-ae51-765336acfff0', 'd3846bfa-c59f-47d4-8507-0865ff6b012c', 'old-1', 1, 0, 'any', 'default', 'exec-command', 'running', false, 1795827759338, 1795827759494, NULL, NULL, 16777216, 6, 0, 2, NULL, NULL, NULL);
INSERT INTO old_fleet.job OVERRIDING SYSTEM VALUE VALUES (1, 'f77b3440-974b-4751-8de3-969568d802b4', 'd3846bfa-c59f-47d4-8507-0865ff6b012c', 'old-1', 1, 0, 'any', 'default', 'exec-command', 'completed', false, 1795827758825, 1795827758933, 1795827759158, 4102444800000, 16777216, 4, 0, 3, NULL, 'once', 'e31e1743d584e498f5505b627b6b229a63f23c790a5e14c56233b028233f24c1');
INSERT INTO old_fleet.journal VALUES (1, 1, 0, 0, '{"type":"state","state":"queued"}');
INSERT INTO old_fleet.journal VALUES (1, 2, 0, 0, '{"type":"state","state":"running"}');
INSERT INTO old_fleet.journal VALUES (1, 3, 4, 0, '{"type":"state","state":"completed"}');
INSERT INTO old_fleet.journal VALUES (2, 1, 0, 0, '{"type":"state","state":"queued"}');
INSERT INTO old_fleet.journal VALUES (2, 2, 0, 0, '{"type":"state","state":"running"}');
INSERT INTO old_fleet.outcome VALUES (1, '{"ok":true,"result":{"content":[{"type":"text","text":"{\"results\":[{\"stdout\":\"out\\n\",\"stderr\":\"\",\"exitCode\":3,\"timedOut\":false}]}"}],"structuredContent":{"results":[{"stdout":"out\n","stderr":"","exitCode":3,"timedOut":false}]}}}');
INSERT INTO old_fleet.output VALUES (1, 1, 0, '\x6f75740a');
INSERT INTO old_fleet.output VALUES (2, 1, 0, '\x33313733310a');
INSERT INTO old_fleet.server VALUES ('d3846bfa-c59f-47d4-8507-0865ff6b012c', 'old-1', '{}', '0.2.0', 'adc1799c-75d7-46fd-b143-a3899105fc15', 0, 0, '2026-11-28 01:02:38.580471+00', '2026-11-28 01:02:50.580471+00', NULL);
INSERT INTO old_fleet.version VALUES (1);
SELECT pg_catalog.setval('old_fleet.command_seq_seq', 1, false);
SELECT pg_catalog.setval('old_fleet.job_seq_seq', 2, true);
ALTER TABLE ONLY old_fleet.call
    ADD CONSTRAINT call_pkey PRIMARY KEY (job);
ALTER TABLE ONLY old_fleet.command
    ADD CONSTRAINT command_pkey PRIMARY KEY (seq);
ALTER TABLE ONLY old_fleet.job
    ADD CONSTRAINT job_id_key UNIQUE (id);
ALTER TABLE ONLY old_fleet.job
    ADD CONSTRAINT job_pkey PRIMARY KEY (seq);
ALTER TABLE ONLY old_fleet.journal
    ADD CONSTRAINT journal_pkey PRIMARY KEY (job, number);
ALTER TABLE ONLY old_fleet.outcome
    ADD CONSTRAINT outcome_pkey PRIMARY KEY (job);
ALTER TABLE ONLY old_fleet.output
    ADD CONSTRAINT output_pkey PRIMARY KEY (job, stream, start);
ALTER TABLE ONLY old_fleet.server
    ADD CONSTRAINT server_pkey PRIMARY KEY (id);
CREATE INDEX command_of_job ON old_fleet.command USING btree (job);
CREATE INDEX ended_job ON old_fleet.job USING btree (ended) WHERE (ended IS NOT NULL);
CREATE INDEX expiring_job ON old_fleet.job USING btree (expires) WHERE (ended IS NOT NULL);
CREATE INDEX job_of_caller ON old_fleet.job USING btree (caller, seq);
CREATE UNIQUE INDEX job_of_key ON old_fleet.job USING btree (caller, idempotency_key) WHERE (idempotency_key IS NOT NULL);
CREATE INDEX live_job ON old_fleet.job USING btree (server) WHERE (ended IS NULL);
ALTER TABLE ONLY old_fleet.call
    ADD CONSTRAINT call_job_fkey FOREIGN KEY (job) REFERENCES old_fleet.job(seq) ON DELETE CASCADE;
ALTER TABLE ONLY old_fleet.command
    ADD CONSTRAINT command_job_fkey FOREIGN KEY (job) REFERENCES old_fleet.job(seq) ON DELETE CASCADE;
ALTER TABLE ONLY old_fleet.journal
    ADD CONSTRAINT journal_job_fkey FOREIGN KEY (job) REFERENCES old_fleet.job(seq) ON DELETE CASCADE;
ALTER TABLE ONLY old_fleet.outcome
    ADD CONSTRAINT outcome_job_fkey FOREIGN KEY (job) REFERENCES old_fleet.job(seq) ON DELETE CASCADE;
ALTER TABLE ONLY old_fleet.output
    ADD CONSTRAINT output_job_fkey FOREIGN KEY (job) REFERENCES old_fleet.job(seq) ON DELETE CASCADE;
