package dev.doyen.stores.objects;

import dev.doyen.store.LeaseStore;
import dev.doyen.testkit.LeaseStoreContract;

/** Runs the store contract on a service whose ETags depend only on the content. */
class ObjectLeaseStoreContractTest extends LeaseStoreContract {

    private final FakeObjects objects = new FakeObjects();

    @Override
    protected LeaseStore open() {
        return ObjectLeaseStore.open(objects, "some/place/", new LeaseStore.Promises(true, false, "one test"));
    }

    @Override
    protected boolean makeUnreadable(String name) {
        objects.overwrite("some/place/" + name + ".lease", ObjectContent.ofText("rubbish"));
        return true;
    }
}
