-- As before, but the vectors of a slice are found by their whole key, model by model. Without the model, each slice that
-- went had the keys of all vectors of its project read: 700 pages in one of 60,000, for every memory that was changed.
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
      and memory = any(memories))
  update backstory.project p set chunks = p.chunks - g.n, terms = p.terms - g.terms
  from (select count(*) n, coalesce(sum(length), 0) terms from gone) g
  where p.org = backstory.current_org() and p.id = backstory.current_project()
$$;

-- As before, but the exact search reads the index that was made for it: 0.5 µs a vector in whatever order they came,
-- where rows scattered over the table cost two to three times as much.
select '[1]'::vector;
grant create on schema backstory to backstory_gate;
set local role backstory_gate;

create or replace function backstory.search(
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
  id text, source text, source_ref text, "text" text, metadata jsonb, updated timestamptz, embedded_at timestamptz,
  said text, words float8, nearness float8, graph float8, score float8,
  chunks bigint, average_terms float8, frequencies bigint[])
language plpgsql stable security definer
set search_path = pg_catalog, backstory, public, pg_temp
-- Planned once for each connection: planning took longer than searching.
set plan_cache_mode = force_generic_plan
-- Where a project has an index of its own: as many as are asked for, and on until so many passed the other conditions.
set hnsw.ef_search = 800
set hnsw.iterative_scan = 'strict_order'
as $$
#variable_conflict use_column
declare
  -- A word that stands in more chunks than this is common: it finds nothing by itself, and is only counted in what
  -- other words found. It would tell little and cost the most.
  most_places constant integer := 1000;
  -- So many of those that have the rarest words are looked at closely.
  most_ranked constant integer := 300;
  most_worded constant integer := 150;
  most_near constant integer := 100;
  who record;
  corpus record;
  queries tsquery[];
  weights float4[];
  counts bigint[];
  rarities float8[];
  found bigint[];
  near bigint[];
  nearness_of float8[];
begin
  who := backstory.member(token_hash, in_project);
  if not 'read' = any(who.scopes) then raise exception 'not for reading' using errcode = 'BS403'; end if;
  select p.chunks, p.terms::float8 / greatest(1, p.chunks) as average, p.model, m.dims, s.promoted is not null as is_big
    into corpus from backstory.project p
    left join backstory.model m on m.org = p.org and m.id = p.model and m.name = model_name
    left join backstory.vector_state s on s.org = p.org and s.project = p.id and s.model = p.model
    where p.org = who.org and p.id = in_project;

  if cardinality(asked_terms) > 0 then
    queries := array(select t::tsquery from unnest(asked_terms) with ordinality as u (t, place) order by place);
    weights := array[0.1, 0.1, tuning[2], tuning[1]];
    with places as materialized (
      select q.place, c.seq from unnest(queries) with ordinality as q (q, place)
      cross join lateral (select c.seq from backstory.chunk c
        where c.project = in_project and c.terms @@ q.q and c.org = who.org
          and (c.reader is null or c.reader = who.person) and (sources is null or c.source = any(sources))
        limit most_places + 1) c
    ), counted as (
      select p.place, count(s.seq) as n from generate_series(1, cardinality(queries)) as p (place)
      left join places s using (place) group by p.place
    ), telling as materialized (
      select place, ln(1 + (greatest(corpus.chunks, n) - n + 0.5::float8) / (n + 0.5::float8)) as rarity from counted
      where n between 1 and most_places
    ), best as (
      select p.seq from places p join telling t using (place) group by p.seq
      order by sum(t.rarity) desc, p.seq desc limit most_ranked)
    select (select array_agg(case when n > most_places then greatest(n, corpus.chunks / 2) else n end order by place)
        from counted),
      (select array_agg(seq) from best) into counts, found;
    -- Never negative, and never nothing: a word in most chunks still counts a little.
    rarities := array(select ln(1 + (greatest(corpus.chunks, n) - n + 0.5::float8) / (n + 0.5::float8))
      from unnest(counts) with ordinality as u (n, place) order by place);
    if found is null then
      -- Nothing but common words: those that have all of them; and if none has, whatever comes first.
      found := array(select c.seq from backstory.chunk c
        where c.project = in_project and c.terms @@ array_to_string(asked_terms, ' & ')::tsquery and c.org = who.org
          and (c.reader is null or c.reader = who.person) and (sources is null or c.source = any(sources))
        limit most_ranked);
      if found = '{}' then
        found := array(select c.seq from backstory.chunk c
          where c.project = in_project and c.terms @@ array_to_string(asked_terms, ' | ')::tsquery and c.org = who.org
            and (c.reader is null or c.reader = who.person) and (sources is null or c.source = any(sources))
          limit most_ranked);
      end if;
    end if;
  end if;

  if question is not null and corpus.dims = vector_dims(question) then
    if corpus.is_big or sources is not null then
      -- Written out, so that the planner knows project and model and may take the index that is theirs alone.
      execute format($q$
        select array_agg(n.chunk), array_agg(n.nearness) from (
          select v.chunk, -((v.vec::halfvec(%1$s)) <#> $1::halfvec(%1$s)) as nearness from backstory.vector v
          where v.org = %2$L and v.project = %3$L and v.model = %4$s and v.dims = %1$s
            and (v.reader is null or v.reader = %5$L) %6$s
          order by (v.vec::halfvec(%1$s)) <#> $1::halfvec(%1$s) limit %7$s) n $q$,
        corpus.dims, who.org, in_project, corpus.model, who.person,
        case when sources is null then '' else format('and v.chunk in (select c.seq from backstory.chunk c
          where c.org = %L and c.project = %L and c.source = any(%L))', who.org, in_project, sources) end,
        most_near) into near, nearness_of using question;
    elsif corpus.dims <= 1024 then
      -- Says what the index for sweeping is limited to, without which the planner may not take it.
      select array_agg(n.chunk), array_agg(n.nearness) into near, nearness_of from (
        select v.chunk, -(v.vec <#> question) as nearness from backstory.vector v
        where v.org = who.org and v.project = in_project and v.model = corpus.model and v.dims <= 1024
          and (v.reader is null or v.reader = who.person)
        order by v.vec <#> question limit most_near) n;
    else
      select array_agg(n.chunk), array_agg(n.nearness) into near, nearness_of from (
        select v.chunk, -(v.vec <#> question) as nearness from backstory.vector v
        where v.org = who.org and v.project = in_project and v.model = corpus.model
          and (v.reader is null or v.reader = who.person)
        order by v.vec <#> question limit most_near) n;
    end if;
  end if;

  return query
  with said as (
    select c.seq, (select sum(q.rarity * n.n * (tuning[3] + 1)
        / (n.n + tuning[3] * (1 - tuning[4] + tuning[4] * c.length / greatest(1, corpus.average))))
      from unnest(queries, rarities) as q (q, rarity)
      cross join lateral (select ts_rank_cd(weights, c.terms, q.q) as n offset 0) n where c.terms @@ q.q) as words
    from unnest(found) as f (seq)
    join backstory.chunk c on c.org = who.org and c.project = in_project and c.seq = f.seq
  ), by_words as materialized (
    select s.seq, s.words from said s order by s.words desc, s.seq desc limit most_worded
  ), by_nearness as (
    select n.seq, n.nearness from unnest(near, nearness_of) as n (seq, nearness) where n.nearness >= tuning[7]
    union
    -- What was found by its words is judged by its meaning too, however far away it is.
    select v.chunk, -(v.vec <#> question) from by_words b
    join backstory.vector v on v.org = who.org and v.project = in_project and v.model = corpus.model and v.chunk = b.seq
    where near is not null
  ), telling as (
    select n.seq, n.nearness, n.nearness - tuning[6] * max(n.nearness) over () as told from by_nearness n
  ), fused as (
    select seq, w.words, t.nearness,
      coalesce(w.words / nullif(max(w.words) over (), 0), 0)
        + tuning[5] * coalesce(greatest(0, t.told) / nullif(max(t.told) over (), 0), 0) as score
    from by_words w full join telling t using (seq)
  ), leading_few as (
    -- Of one memory several slices may be found, so some more than wanted.
    select f.* from fused f where f.score > 0 order by f.score desc, f.seq desc limit most * 2
  ), best_slice as materialized (
    -- Slices of an older generation are on their way out.
    select distinct on (c.source_id) c.source_id as id, c.generation, c.at, c.text as said, f.words, f.nearness, f.score
    from leading_few f join backstory.chunk c on c.org = who.org and c.project = in_project and c.seq = f.seq
    order by c.source_id, f.score desc, c.seq
  ), foremost as (
    select b.id, b.score / max(b.score) over () as share from best_slice b order by b.score desc limit 8
  ), linked as (
    -- What the question names, and what the best speak of; the more share it, the less it says.
    select l.memory as id, max(s.share / (1 + ln(l.sharing))) as graph
    from (
      select e.target, max(b.share) as share from foremost b
      join backstory.edge e on e.org = who.org and e.project = in_project and e.memory = b.id group by e.target
      union all select t, 1 from unnest(targets) t) s
    cross join lateral (
      select e.memory, count(*) over () as sharing from (select e.memory from backstory.edge e
        where e.org = who.org and e.project = in_project and e.target = s.target limit 50) e) l
    group by l.memory
  ), pooled as (
    select id, b.generation, b.at, b.said, b.words, b.nearness, l.graph,
      coalesce(b.score, 0) + tuning[8] * coalesce(l.graph, 0) as score
    from best_slice b full join linked l using (id) order by score desc, id desc limit most
  )
  -- When its source was changed, which may be long before it came here.
  select m.id, m.source, m.source_ref, m.text, m.metadata, coalesce(to_timestamp(p.at / 1000.0), m.updated), m.embedded_at,
    nullif(p.said, m.text), coalesce(p.words, 0)::float8, coalesce(p.nearness, 0)::float8,
    coalesce(p.graph, 0)::float8, p.score::float8, corpus.chunks, corpus.average,
    -- Once is enough.
    case when row_number() over (order by p.score desc, m.id desc) = 1 then counts end
  from pooled p join backstory.memory m on m.org = who.org and m.id = p.id
  where m.project = in_project and (m.reader is null or m.reader = who.person)
    and m.generation = coalesce(p.generation, m.generation) and (sources is null or m.source = any(sources))
  order by p.score desc, m.id desc;
end $$;

reset role;
revoke create on schema backstory from backstory_gate;
