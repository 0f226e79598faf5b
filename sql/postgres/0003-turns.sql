-- Finds everything that one turn did.
create index chunk_turn on backstory.chunk (project, turn) where turn <> '';
