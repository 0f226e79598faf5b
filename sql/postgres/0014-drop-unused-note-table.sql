-- Notes of a team are rows of backstory.memory. No program ever wrote this table.
drop table backstory.note;
