from doyen import leader_only


@leader_only
def send_the_report() -> str:
    return "sent by the leader"


print(send_the_report() or "not mine to send")
