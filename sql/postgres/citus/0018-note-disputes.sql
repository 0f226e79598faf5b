set local citus.multi_shard_modify_mode = 'sequential';
-- Citus refuses subqueries in policies.
alter policy own_project on backstory.note_dispute
  using (org = backstory.current_org() and project = backstory.current_project());
select create_distributed_table('backstory.note_dispute', 'org', colocate_with => 'backstory.project');

-- As before, and the disputes.
create or replace function backstory.drop_derived(memories text[]) returns void
language plpgsql volatile security invoker set search_path = pg_catalog, backstory, pg_temp as $$
declare
  here uuid := backstory.current_org();
  of_project uuid := backstory.current_project();
  gone bigint[];
  gone_terms bigint;
  state record;
  deleted bigint;
begin
  with deleted as (
    delete from backstory.chunk where org = here and project = of_project and source_id = any(memories)
    returning seq, length)
  select coalesce(array_agg(d.seq), '{}'), coalesce(sum(d.length), 0) into gone, gone_terms from deleted d;
  -- Before the counts of vectors, as when memories are saved, so that two writers do not wait for each other.
  update backstory.project set chunks = chunks - cardinality(gone), terms = terms - gone_terms
    where org = here and id = of_project;
  for state in select s.model from backstory.vector_state s where s.org = here and s.project = of_project loop
    delete from backstory.vector v where v.org = here and v.project = of_project and v.model = state.model
      and v.chunk = any(gone);
    get diagnostics deleted = row_count;
    if deleted > 0 then
      update backstory.vector_state set vectors = vectors - deleted
        where org = here and project = of_project and model = state.model;
    end if;
  end loop;
  delete from backstory.edge where org = here and project = of_project and memory = any(memories);
  delete from backstory.note_dispute where org = here and project = of_project and memory = any(memories);
end $$;
