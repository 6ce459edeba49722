package dev.doyen.spring.test.guide;

import dev.doyen.event.LossCause;
import dev.doyen.spring.CurrentLeadership;
import dev.doyen.spring.LeaderOnly;
import dev.doyen.spring.OnRevoked;
import java.util.ArrayList;
import java.util.List;
import org.springframework.stereotype.Component;

@Component
public class Invoices {
    private final List<String> sent = new ArrayList<>();

    @LeaderOnly("invoices")
    public String send(String to) {
        sent.add(to);
        return "sent in term " + CurrentLeadership.term();
    }

    @OnRevoked("invoices")
    public void forget(LossCause cause) {
        sent.clear();
    }

    public List<String> sent() {
        return sent;
    }
}
