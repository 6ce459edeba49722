"""Uses the official Python SDK with the hub at the port HUB_PORT, and prints what it receives.

The first argument is the format of the frames: json or msgpack.
"""

import asyncio
import os
import sys

from ably import AblyRealtime

PATIENCE_SECONDS = 60


async def main(wire: str) -> None:
    client = AblyRealtime(
        key=os.environ["HUB_KEY"],
        client_id="ann",
        # The realtime client of the SDK ignores the option port.
        endpoint="localhost:" + os.environ["HUB_PORT"],
        tls=False,
        use_binary_protocol=wire == "msgpack",
    )
    await client.connection.ping()
    channel = client.channels.get("python " + wire)
    received: asyncio.Queue = asyncio.Queue()
    await channel.subscribe(received.put_nowait)
    await channel.publish("text", "hello")
    message = await received.get()
    print("received", message.name, message.data, "of", message.client_id)
    await channel.presence.enter("leader")
    for member in await channel.presence.get():
        print("present", member.client_id, member.data)
    await channel.presence.leave()
    await client.close()


asyncio.run(asyncio.wait_for(main(sys.argv[1]), PATIENCE_SECONDS))
