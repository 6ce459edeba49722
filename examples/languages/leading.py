import asyncio

from doyen import AsyncElector, LeadershipLost


async def main() -> None:
    elector = AsyncElector()
    while True:
        try:
            async with elector.leading():
                print(f"{elector.name} leads", flush=True)
                while True:
                    print("the leader's work", flush=True)
                    await asyncio.sleep(1)
        except LeadershipLost as lost:
            print(f"no longer: {lost}", flush=True)


asyncio.run(main())
