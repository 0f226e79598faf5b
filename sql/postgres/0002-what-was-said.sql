-- Finds what was said before and after a place in an agent session without reading the session.
create index chunk_session on backstory.chunk (project, agent_session, at, source_id)
  where kind in ('prompt', 'answer');
-- Finds the chunks that were put last.
create index chunk_seq on backstory.chunk (project, seq);
