package dev.doyen.spring.test;

import java.util.function.Consumer;
import org.springframework.context.ApplicationContext;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.support.AbstractTestExecutionListener;

/**
 * Resets the elections before each test method.
 *
 * <p>Spring caches contexts, and the previous test may have granted a leadership.
 */
final class FakeElectionsListener extends AbstractTestExecutionListener {

    /** After the injection of the test's fields, and before the test's own listeners. */
    private static final int ORDER = 2_500;

    @Override
    public int getOrder() {
        return ORDER;
    }

    @Override
    public void beforeTestMethod(TestContext test) {
        find(test, FakeElections::beginAnew);
    }

    /**
     * Lets the stores answer again, because the context may be closed next.
     *
     * <p>While a store is away, a release takes until the lease expires.
     */
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
