import { AshlarError } from '../../error/ashlar-error.ts'

/** Where the tables are, when nothing else is said. */
export const defaultSchema = 'ashlar'

/** Which roles {@link rolesSql} makes. */
export interface RoleNames {
  /** Owns the tables, runs migrations and `maintain`. @default `ashlar_owner` */
  readonly owner?: string
  /** Reads and writes rows. @default `ashlar_writer` */
  readonly writer?: string
  /** Reads rows. @default `ashlar_reader` */
  readonly reader?: string
}

/** Every table with rows of workspaces. */
export const tables: readonly string[] = [
  'document',
  'parent',
  'child_vector',
  'token_window',
  'note',
  'segment',
  'segment_page',
  'tombstone',
  'embedding',
  'vector_count',
]

/**
 * A name that can stand in a statement as it is. Names cannot be parameters, so only plain ones are taken.
 *
 * @throws AshlarError `INVALID_OPTION`.
 */
export function plainName(name: string, what: string): string {
  if (typeof name === 'string' && /^[a-z_][a-z0-9_]{0,47}$/.test(name)) return name
  throw new AshlarError(
    'INVALID_OPTION',
    `The ${what} is a name of at most 48 small letters, digits and _ that does not begin with a digit; got ${JSON.stringify(String(name).slice(0, 60))}.`,
  )
}

/** The statements that lead from one version to the next. */
export type Migration = (schema: string) => string

/**
 * The migrations, in order: the version that each leads to is its place, from 1 on. What was released is never changed, only followed.
 *
 * The workspace is a part of every key. It comes last where a row is looked up by a number: numbers belong to one workspace each, and the
 * planner, which takes the two conditions on the workspace for independent of each other, would otherwise expect next to nothing in a
 * workspace and read all of it. Where all documents of a workspace are wanted, `document_order` is asked for by its own form of the name.
 *
 * Workspace and id are compared by code point (`collate "C"`) whatever the database's own order is. Ids may be longer than an index entry,
 * so they are looked up by their hash and listed by how they begin. What is packed already is not compressed again (`external`), and
 * vectors stay in their row as long as a page has room for them.
 */
export const migrations: readonly Migration[] = [
  (schema) => `
create sequence ${schema}.row_key as bigint;

create table ${schema}.document (
  workspace text collate "C" not null,
  key bigint not null,
  id text collate "C" not null,
  id_hash bytea not null,
  title text not null,
  format text not null,
  metadata jsonb not null,
  length bigint not null,
  children bigint not null,
  content_hash text not null,
  version bigint not null,
  notes bigint not null,
  layout bytea not null,
  fingerprints bytea not null,
  primary key (key, workspace)
);
create unique index document_id on ${schema}.document (id_hash, workspace);
create index document_order on ${schema}.document ((workspace || ''), substr(id, 1, 128));
alter table ${schema}.document alter column layout set storage external, alter column fingerprints set storage external;

create table ${schema}.parent (
  workspace text collate "C" not null,
  key bigint not null,
  document bigint not null,
  id text collate "C" not null,
  text text not null,
  children bytea not null,
  primary key (key, workspace)
);
create index parent_document on ${schema}.parent (document);
alter table ${schema}.parent alter column children set storage external;

create table ${schema}.child_vector (
  workspace text collate "C" not null,
  embedding bigint not null,
  child bigint not null,
  document bigint not null,
  content_key text not null,
  vector halfvec not null,
  primary key (embedding, child, workspace)
) with (toast_tuple_target = 8160);
create index child_vector_document on ${schema}.child_vector (document);
alter table ${schema}.child_vector alter column vector set storage external;

create table ${schema}.vector_count (
  workspace text collate "C" not null,
  embedding bigint not null,
  change bigint not null
);
create index vector_count_embedding on ${schema}.vector_count (embedding);

create table ${schema}.token_window (
  workspace text collate "C" not null,
  document bigint not null,
  embedding bigint not null,
  key text collate "C" not null,
  blob bytea not null,
  pieces bytea not null,
  primary key (document, embedding, key, workspace)
);
alter table ${schema}.token_window alter column blob set storage external, alter column pieces set storage external;

create table ${schema}.note (
  workspace text collate "C" not null,
  child bigint not null,
  document bigint not null,
  note text not null,
  primary key (child, workspace)
);
create index note_document on ${schema}.note (document);

create table ${schema}.segment (
  workspace text collate "C" not null,
  id bigint not null,
  primary key (workspace, id)
);
create table ${schema}.segment_page (
  workspace text collate "C" not null,
  segment bigint not null,
  page integer not null,
  bytes bytea not null,
  primary key (segment, page, workspace)
);
alter table ${schema}.segment_page alter column bytes set storage external;
create table ${schema}.tombstone (
  workspace text collate "C" not null,
  segment bigint not null,
  places bytea not null
);
create index tombstone_segment on ${schema}.tombstone (segment);

create table ${schema}.embedding (
  workspace text collate "C" not null,
  key bigint not null,
  identity text not null,
  active boolean not null,
  primary key (workspace, key)
);
create unique index embedding_active on ${schema}.embedding (workspace) where active;

create function ${schema}.take_keys(wanted bigint) returns bigint language plpgsql as $$
declare
  taken bigint;
begin
  -- Held for this call and not for the transaction, so that writers do not wait for each other.
  perform pg_advisory_lock(${keyLock});
  begin
    taken := nextval('${schema}.row_key');
    if wanted > 1 then
      perform setval('${schema}.row_key', taken + wanted - 1);
    end if;
  exception when query_canceled or others then
    perform pg_advisory_unlock(${keyLock});
    raise;
  end;
  perform pg_advisory_unlock(${keyLock});
  return taken;
end $$;

create function ${schema}.lock_workspace(workspace text) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtext('${schema}:' || workspace), 0);
end $$;

create function ${schema}.lock_documents(workspace text, ids text[]) returns void language plpgsql as $$
declare
  space integer := hashtext('${schema}:' || workspace);
  bucket integer;
begin
  perform pg_advisory_xact_lock_shared(space, 0);
  -- Always rising, so that nobody waits in a circle; by the bucket, so that no batch needs more locks than the server has.
  for bucket in select distinct 1 + (hashtext(id) & 1023) as number from unnest(ids) as id order by number loop
    perform pg_advisory_xact_lock(space, bucket);
  end loop;
end $$;
${tables.map((table) => wall(schema, table)).join('')}`,
]

/** Held while keys are taken. Any number that nothing else in the database is likely to use. */
const keyLock = '4919131752989213764'

/** The second wall: whatever a statement asks for, rows of other workspaces than those of the transaction are not there. */
function wall(schema: string, table: string): string {
  const written = `workspace = (select current_setting('ashlar.workspace', true))`
  // Its own workspace first, which most rows are of: a list costs more for every row.
  const read = `${written} or workspace = any ((select nullif(current_setting('ashlar.workspaces', true), '')::text[])::text[])`
  return `
alter table ${schema}.${table} enable row level security, force row level security;
create policy ${table}_read on ${schema}.${table} for select using (${read});
create policy ${table}_insert on ${schema}.${table} for insert with check (${written});
create policy ${table}_update on ${schema}.${table} for update using (${written}) with check (${written});
create policy ${table}_delete on ${schema}.${table} for delete using (${written});
`
}

/** What comes before the first migration: safe to run again. */
export function foundationSql(schema: string): string {
  return `create extension if not exists vector;
create schema if not exists ${schema};
create table if not exists ${schema}.migration (version integer primary key, applied timestamptz not null default now());`
}

/** One migration with its entry in the list of those applied. */
export function migrationSql(schema: string, version: number, steps: readonly Migration[] = migrations): string {
  return `${(steps[version - 1] as Migration)(schema).trim()}
insert into ${schema}.migration (version) values (${version});`
}

/**
 * Everything that makes the tables, as one text for a database administrator to read and run, once, as the role that is to own them.
 *
 * `postgresStore` does the same by itself where its role may. `from` is the version that the tables have, which is the last in the table
 * `migration`; without it they are made.
 */
export function schemaSql(options: { readonly schema?: string; readonly from?: number } = {}): string {
  const schema = plainName(options.schema ?? defaultSchema, 'schema')
  const { from = 0 } = options
  if (!(Number.isInteger(from) && from >= 0 && from <= migrations.length))
    throw new AshlarError('INVALID_OPTION', `from is a version from 0 to ${migrations.length}; got ${String(from)}.`)
  const steps = migrations.map((_, at) => at + 1).filter((version) => version > from)
  return `begin;
${[foundationSql(schema), ...steps.map((version) => migrationSql(schema, version))].join('\n')}
commit;
`
}

/**
 * Three roles without login and what each may do, as one text for a database administrator to run after {@link schemaSql}. Grant them to the
 * roles that people and programs log in with.
 *
 * None of them may pass by row-level security. A superuser can, and so can a role with `bypassrls`: do not open stores as one.
 */
export function rolesSql(options: RoleNames & { readonly schema?: string } = {}): string {
  const schema = plainName(options.schema ?? defaultSchema, 'schema')
  const owner = plainName(options.owner ?? 'ashlar_owner', 'owner')
  const writer = plainName(options.writer ?? 'ashlar_writer', 'writer')
  const reader = plainName(options.reader ?? 'ashlar_reader', 'reader')
  const all = tables.map((table) => `${schema}.${table}`).join(', ')
  return `begin;
do $$
declare
  role text;
begin
  foreach role in array array['${owner}', '${writer}', '${reader}'] loop
    if not exists (select from pg_roles where rolname = role) then
      execute format('create role %I nologin nosuperuser nobypassrls', role);
    end if;
  end loop;
end $$;
alter schema ${schema} owner to ${owner};
${['migration', ...tables].map((table) => `alter table ${schema}.${table} owner to ${owner};`).join('\n')}
alter sequence ${schema}.row_key owner to ${owner};
alter function ${schema}.take_keys(bigint) owner to ${owner};
alter function ${schema}.lock_workspace(text) owner to ${owner};
alter function ${schema}.lock_documents(text, text[]) owner to ${owner};
revoke all on all tables in schema ${schema} from public;
revoke all on all functions in schema ${schema} from public;
grant usage on schema ${schema} to ${writer}, ${reader};
grant select on ${schema}.migration, ${all} to ${writer}, ${reader};
grant insert, update, delete on ${all} to ${writer};
grant usage, update on sequence ${schema}.row_key to ${writer};
grant execute on all functions in schema ${schema} to ${writer};
commit;
`
}
