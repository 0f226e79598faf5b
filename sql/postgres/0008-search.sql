-- Hybrid search in one call: who asks is found out once, then words, meaning and what belongs together are brought
-- into one measure as src/text/fuse.ts does, and the best go back with what each found. The weights come from the
-- caller, so that they are written down in one place only.

create function backstory.search(
  token_hash bytea,
  in_project uuid,
  -- Each a tsquery of one term, cut as chunks were.
  asked_terms text[],
  model_name text,
  -- Null when nothing could be made of the question.
  question halfvec,
  -- Files and issues that the question names.
  targets text[],
  -- Null for all.
  sources text[],
  -- How many go back.
  most integer,
  -- word, identifier part, k1, b; meaning, contrast, least nearness; graph.
  tuning float8[])
returns table (
  id text, source text, source_ref text, "text" text, metadata jsonb, author uuid, created timestamptz,
  updated timestamptz, embedded_at timestamptz, said text, words float8, nearness float8, graph float8, score float8,
  chunks bigint, average_terms float8, frequencies bigint[])
language plpgsql stable security definer
set search_path = pg_catalog, backstory, public, pg_temp
set plan_cache_mode = force_custom_plan
-- Where a project has an index of its own: as many as are asked for, and on until so many passed the other conditions.
set hnsw.ef_search = 200
set hnsw.iterative_scan = 'strict_order'
as $$
#variable_conflict use_column
declare
  -- More than so many are not ranked: a word that stands everywhere tells nothing and costs the most.
  most_ranked constant integer := 1000;
  enough constant integer := 50;
  most_near constant integer := 100;
  who record;
  corpus record;
  asked_model record;
  queries tsquery[];
  any_of_them tsquery;
  weights float4[];
  found bigint[];
  with_all bigint[];
  rare tsquery;
  counts bigint[];
  near jsonb := '[]';
begin
  who := backstory.member(token_hash, in_project);
  if not 'read' = any(who.scopes) then raise exception 'not for reading' using errcode = 'BS403'; end if;
  select p.chunks, p.terms::float8 / greatest(1, p.chunks) as average, p.model into corpus
    from backstory.project p where p.org = who.org and p.id = in_project;

  if cardinality(asked_terms) > 0 then
    any_of_them := array_to_string(asked_terms, ' | ')::tsquery;
    queries := array(select t::tsquery from unnest(asked_terms) with ordinality as u (t, place) order by place);
    weights := array[0.1, 0.1, tuning[2], tuning[1]];
    found := array(select c.seq from backstory.chunk c
      where c.org = who.org and c.project = in_project and c.terms @@ any_of_them
        and (c.reader is null or c.reader = who.person) and (sources is null or c.source = any(sources))
      limit most_ranked + 1);
    if cardinality(found) > most_ranked then
      counts := array(select (select count(*) from (select from backstory.chunk c
          where c.org = who.org and c.project = in_project and c.terms @@ q limit most_ranked + 1) counted)
        from unnest(queries) with ordinality as u (q, place) order by place);
      with_all := array(select c.seq from backstory.chunk c
        where c.org = who.org and c.project = in_project and c.terms @@ array_to_string(asked_terms, ' & ')::tsquery
          and (c.reader is null or c.reader = who.person) and (sources is null or c.source = any(sources))
        limit most_ranked);
      if cardinality(with_all) < enough then
        -- Words that are not everywhere; if all of them are, whatever came first has to do.
        select array_to_string(array_agg(q::text), ' | ')::tsquery into rare
          from unnest(queries, counts) as u (q, n) where n <= most_ranked;
        if rare is not null then
          found := array(select c.seq from backstory.chunk c
            where c.org = who.org and c.project = in_project and c.terms @@ rare
              and (c.reader is null or c.reader = who.person) and (sources is null or c.source = any(sources))
            limit most_ranked);
        end if;
        with_all := with_all || found;
      end if;
      found := array(select distinct s from unnest(with_all) s);
      -- Of a word that was not counted to its end nothing is known but that it is common.
      counts := array(select case when n > most_ranked then greatest(n, corpus.chunks / 2) else n end
        from unnest(counts) with ordinality as u (n, place) order by place);
    end if;
  end if;

  select m.id, m.dims into asked_model from backstory.model m
    where m.org = who.org and m.name = model_name and m.id = corpus.model;
  if question is not null and asked_model.id is not null and vector_dims(question) = asked_model.dims then
    -- Written out, so that the planner knows project and model and may take the index that is theirs alone.
    execute format($q$
      select coalesce(jsonb_agg(jsonb_build_array(n.chunk, n.nearness)), '[]') from (
        select v.chunk, -((v.vec::halfvec(%1$s)) <#> $1::halfvec(%1$s)) as nearness from backstory.vector v
        where v.org = %2$L and v.project = %3$L and v.model = %4$s and v.dims = %1$s %5$s %6$s
        order by (v.vec::halfvec(%1$s)) <#> $1::halfvec(%1$s) limit %7$s) n $q$,
      asked_model.dims, who.org, in_project, asked_model.id,
      format('and (v.reader is null or v.reader = %L)', who.person),
      case when sources is null then '' else format('and v.chunk in (select c.seq from backstory.chunk c
        where c.org = %L and c.project = %L and c.source = any(%L))', who.org, in_project, sources) end,
      most_near) into near using question;
  end if;

  return query
  with said as materialized (
    select c.seq, q.place, c.length, ts_rank_cd(weights, c.terms, q.q) as n
    from unnest(found) as f (seq)
    join backstory.chunk c on c.org = who.org and c.project = in_project and c.seq = f.seq
    cross join unnest(queries) with ordinality as q (q, place)
    where c.terms @@ q.q
  ), frequency as (
    select p.place, coalesce(counts[p.place], count(s.seq)) as n
    from generate_series(1, cardinality(queries)) as p (place) left join said s using (place) group by p.place
  ), worth as (
    select f.place, ln(1 + (greatest(corpus.chunks, f.n) - greatest(1, f.n) + 0.5) / (greatest(1, f.n) + 0.5)) as rarity
    from frequency f
  ), by_words as (
    select s.seq, sum(w.rarity * s.n * (tuning[3] + 1)
      / (s.n + tuning[3] * (1 - tuning[4] + tuning[4] * s.length / greatest(1, corpus.average)))) as words
    from said s join worth w using (place) group by s.seq order by words desc, seq desc limit 150
  ), by_nearness as (
    select (e ->> 0)::bigint as seq, (e ->> 1)::float8 as nearness from jsonb_array_elements(near) e
    union
    -- What was found by its words is judged by its meaning too, however far away it is.
    select v.chunk, -(v.vec <#> question) from by_words b
    join backstory.vector v on v.org = who.org and v.project = in_project and v.model = asked_model.id and v.chunk = b.seq
    where question is not null and near <> '[]'
  ), telling as (
    select n.seq, n.nearness, n.nearness - tuning[6] * max(n.nearness) over () as told from by_nearness n
    where n.nearness >= tuning[7] or exists (select from by_words b where b.seq = n.seq)
  ), fused as (
    select seq, w.words, t.nearness,
      coalesce(w.words / nullif(max(w.words) over (), 0), 0)
        + tuning[5] * coalesce(greatest(0, t.told) / nullif(max(t.told) over (), 0), 0) as score
    from by_words w full join telling t using (seq)
  ), best_chunk as (
    -- Chunks of an older generation are on their way out.
    select distinct on (m.id) m.id, c.seq, c.text as said, f.words, f.nearness, f.score from fused f
    join backstory.chunk c on c.org = who.org and c.project = in_project and c.seq = f.seq
    join backstory.memory m on m.org = who.org and m.id = c.source_id and m.generation = c.generation
    where m.project = in_project and (m.reader is null or m.reader = who.person)
    order by m.id, f.score desc, c.seq
  ), foremost as (
    select b.id, b.score / max(b.score) over () as share from best_chunk b order by b.score desc limit 8
  ), linked as (
    -- What the question names, and what the best speak of; the more share it, the less it says.
    select l.memory as id, max(s.share / (1 + ln(greatest(1, l.sharing)))) as graph
    from (
      select e.target, max(b.share) as share from foremost b
      join backstory.edge e on e.org = who.org and e.project = in_project and e.memory = b.id group by e.target
      union all select t, 1 from unnest(targets) t) s
    cross join lateral (
      select e.memory, count(*) over () as sharing from backstory.edge e
      where e.org = who.org and e.project = in_project and e.target = s.target limit 50) l
    group by l.memory
  ), pooled as (
    select id, b.seq, b.said, b.words, b.nearness, coalesce(b.score, 0) + tuning[8] * coalesce(l.graph, 0) as score, l.graph
    from best_chunk b full join linked l using (id)
    where b.score > 0 or l.graph > 0 order by score desc, id desc limit most
  )
  select m.id, m.source, m.source_ref, m.text, m.metadata, m.author, m.created, m.updated, m.embedded_at,
    coalesce(p.said, left(m.text, 1500)), coalesce(p.words, 0)::float8, coalesce(p.nearness, 0)::float8,
    coalesce(p.graph, 0)::float8, p.score::float8, corpus.chunks, corpus.average,
    array(select f.n from frequency f order by f.place)
  from pooled p join backstory.memory m on m.org = who.org and m.id = p.id
  where m.project = in_project and (m.reader is null or m.reader = who.person)
    and (sources is null or m.source = any(sources))
  order by p.score desc, m.id desc;
end $$;

-- These functions are the gate's; only the server may call them.
do $$
declare called regprocedure;
begin
  grant create on schema backstory to backstory_gate;
  grant update (attempts, run_at) on backstory.job to backstory_gate;
  create policy gate_claims on backstory.job for update to backstory_gate using (true);
  for called in select p.oid from pg_proc p where p.pronamespace = 'backstory'::regnamespace and p.prosecdef loop
    execute format('alter function %s owner to backstory_gate', called);
    execute format('revoke all on function %s from public', called);
    execute format('grant execute on function %s to backstory_app, backstory_gate', called);
  end loop;
  revoke create on schema backstory from backstory_gate;
end $$;
