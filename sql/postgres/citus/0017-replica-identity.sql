-- Citus moves a shard by logical replication, which needs a key to find changed rows by. These tables have no primary
-- key, because null is a value in their unique keys.
alter table backstory.note_change replica identity full;
alter table backstory.sign_in_domain replica identity full;
