// libpq as Swift can call it. PG_DIAG_SQLSTATE and its neighbours are casted macros, which Swift does not import.
#pragma once

#include <libpq-fe.h>

static const int dragoman_pq_sql_state = PG_DIAG_SQLSTATE;
static const int dragoman_pq_message = PG_DIAG_MESSAGE_PRIMARY;

// The server's notices would be printed to standard error.
static inline void dragoman_pq_ignore_notice(void *payload, const PGresult *result) { (void)payload; (void)result; }
static inline void dragoman_pq_ignore_notices(PGconn *connection) {
  PQsetNoticeReceiver(connection, dragoman_pq_ignore_notice, (void *)0);
}
