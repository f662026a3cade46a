"""The embedded PostgreSQL and Valkey: started on demand, shared by processes, stopped when the last one leaves."""

from novaberg.memory.servers.services import ServiceUrls, open_services, start_services, stop_services

__all__ = ["ServiceUrls", "open_services", "start_services", "stop_services"]
