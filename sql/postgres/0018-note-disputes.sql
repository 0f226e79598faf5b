-- Who says that a teammate's note is wrong. A dispute is about one text: it goes when the text is replaced or removed.
create table backstory.note_dispute (
  org uuid not null,
  project uuid not null,
  memory text collate "C" not null,
  person uuid not null,
  at timestamptz not null default now(),
  -- The disputing person's own note that states what is right, by its reference.
  correction text collate "C",
  -- When the author of the note answered that it holds nevertheless.
  kept timestamptz,
  primary key (org, project, memory, person)
);
alter table backstory.note_dispute enable row level security;
alter table backstory.note_dispute force row level security;
create policy own_project on backstory.note_dispute
  using (org = (select backstory.current_org()) and project = (select backstory.current_project()));
grant select, insert, update, delete on backstory.note_dispute to backstory_app;

-- As before, and the disputes.
create or replace function backstory.drop_derived(memories text[]) returns void
language sql volatile security invoker set search_path = pg_catalog, backstory, pg_temp as $$
  with gone as (
    delete from backstory.chunk where org = backstory.current_org() and project = backstory.current_project()
      and source_id = any(memories) returning seq, length),
  vectors as (
    delete from backstory.vector v using gone, backstory.vector_state s where s.org = backstory.current_org()
      and s.project = backstory.current_project() and v.org = s.org and v.project = s.project and v.model = s.model
      and v.chunk = gone.seq returning v.model),
  counted as (
    update backstory.vector_state s set vectors = s.vectors - g.n
    from (select model, count(*) n from vectors group by 1) g
    where s.org = backstory.current_org() and s.project = backstory.current_project() and s.model = g.model),
  links as (
    delete from backstory.edge where org = backstory.current_org() and project = backstory.current_project()
      and memory = any(memories)),
  disputes as (
    delete from backstory.note_dispute where org = backstory.current_org() and project = backstory.current_project()
      and memory = any(memories))
  update backstory.project p set chunks = p.chunks - g.n, terms = p.terms - g.terms
  from (select count(*) n, coalesce(sum(length), 0) terms from gone) g
  where p.org = backstory.current_org() and p.id = backstory.current_project()
$$;
