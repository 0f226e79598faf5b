-- Webhooks of Linear and Jira, which have signatures of their own.
alter table backstory.webhook drop constraint webhook_kind_check;
alter table backstory.webhook add constraint webhook_kind_check
  check (kind in ('github', 'gitlab', 'linear', 'jira', 'signed'));
