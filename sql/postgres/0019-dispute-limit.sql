-- Whether a dispute keeps the note from teammates' sessions. A person may silence only a few notes that nobody else
-- disputes; further disputes are recorded and wait for somebody to agree.
alter table backstory.note_dispute add column silences boolean not null default true;
