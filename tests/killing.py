"""A server that dies again and again while clients save, and is started again each time."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from random import Random

from conftest import Server
from saving import Client, crowd

SAVES, CLIENTS = 500, 4


def kill_while(server: Server, clients: list[Client], random: Random, kills: int) -> None:
    """Kill the server so many times, spread over all the saves, and start it again each time."""
    marks = sorted(random.sample(range(20, SAVES - 40), kills))
    for mark in marks:
        while sum(len(c.acknowledged) for c in clients) < mark:
            time.sleep(0.001)
        time.sleep(random.random() * 0.02)
        server.kill()
        server.start()


def save_through(server: Server, kills: int, seed: int) -> list[Client]:
    """All saves of all clients, however often the server dies meanwhile."""
    clients = crowd(server.port, CLIENTS, seed)
    with ThreadPoolExecutor(CLIENTS + 1) as pool:
        killing = pool.submit(kill_while, server, clients, Random(seed), kills)
        saving = [pool.submit(lambda c: list(c.saves(SAVES // CLIENTS)), client) for client in clients]
        for work in saving:
            work.result()
        killing.result()
    return clients
