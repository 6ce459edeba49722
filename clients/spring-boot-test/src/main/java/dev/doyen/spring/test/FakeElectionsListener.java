package dev.doyen.spring.test;

import java.util.function.Consumer;
import org.springframework.context.ApplicationContext;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.support.AbstractTestExecutionListener;

/** Lets the elections begin anew before each test method: contexts are cached, and the test before may have granted some. */
final class FakeElectionsListener extends AbstractTestExecutionListener {

    /** After the test's fields are injected, and before whatever it does in its own listeners. */
    private static final int ORDER = 2_500;

    @Override
    public int getOrder() {
        return ORDER;
    }

    @Override
    public void beforeTestMethod(TestContext test) {
        find(test, FakeElections::beginAnew);
    }

    /** The context may be closed next, and to give a lease back to a store that is away takes until that runs out. */
    @Override
    public void afterTestMethod(TestContext test) {
        find(test, FakeElections::storesBack);
    }

    private static void find(TestContext test, Consumer<FakeElections> then) {
        if (test.hasApplicationContext()) {
            ApplicationContext context = test.getApplicationContext();
            context.getBeanProvider(FakeElections.class).ifAvailable(then);
        }
    }
}
