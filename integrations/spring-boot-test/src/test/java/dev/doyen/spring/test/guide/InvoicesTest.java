package dev.doyen.spring.test.guide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.event.LossCause;
import dev.doyen.spring.test.AutoConfigureFakeElections;
import dev.doyen.spring.test.FakeElections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

@SpringBootTest
@AutoConfigureFakeElections
class InvoicesTest {

    @Autowired
    private FakeElections elections;

    @Autowired
    private Invoices invoices;

    @Test
    void a_follower_sends_nothing() {
        assertThat(invoices.send("Ada")).isNull();
        assertThat(invoices.sent()).isEmpty();
    }

    @Test
    void the_leader_sends() {
        elections.grant("invoices");
        assertThat(invoices.send("Ada")).startsWith("sent in term ");
        assertThat(invoices.sent()).containsExactly("Ada");
    }

    @ParameterizedTest
    @EnumSource(names = {"RESIGNED", "EXPIRED", "SUSPENDED", "SUPERSEDED"})
    void no_invoice_remains_after_any_end_of_the_term(LossCause cause) {
        elections.grant("invoices");
        invoices.send("Ada");
        elections.named("invoices").lose(cause);
        assertThat(invoices.sent()).isEmpty();
        assertThat(invoices.send("Grace")).isNull();
    }
}
