//! A sitting as a task that tells the screens what happens.

use tokio::{
    sync::mpsc,
    task::{AbortHandle, JoinHandle},
};

use crate::{
    protocol::{crypto::identity::Identity, name::Name},
    run::{Begin, Sitting, SittingOrder, Starts, look},
    store::Profile,
    ui::app::Event,
};

/// A sitting under way; dropped, it ends at once, which loses nothing that was signed.
pub(super) struct Task {
    orders: mpsc::UnboundedSender<SittingOrder>,
    sitting: AbortHandle,
    handle: JoinHandle<()>,
}

impl Task {
    /// Sits down. The screens are told how it ended, also where it broke.
    pub(super) fn start(profile: Profile, begin: Begin, post: &Post) -> Task {
        let (orders, for_sitting) = mpsc::unbounded_channel();
        let to_screens = post.clone();
        let inner = tokio::spawn(
            Sitting {
                profile,
                begin,
                starts: Starts::WhenOrdered,
                orders: for_sitting,
                tell: move |event| tell(&to_screens, Event::Sitting(event)),
            }
            .run(),
        );
        let post = post.clone();
        let sitting = inner.abort_handle();
        let ends_with_this = OnDrop(sitting.clone());
        let handle = tokio::spawn(async move {
            let _ends_with_this = ends_with_this;
            match inner.await {
                Ok(Ok(ended)) => tell(&post, Event::Ended(ended)),
                Ok(Err(why)) => tell(&post, Event::Failed(why)),
                Err(broken) if broken.is_panic() => tell(&post, Event::Broken),
                Err(_) => {}
            }
        });
        Task { orders, sitting, handle }
    }

    pub(super) fn order(&self, order: SittingOrder) {
        // A sitting that has ended takes no orders.
        let _ = self.orders.send(order);
    }

    /// Ends it, and waits until its profile is free again.
    pub(super) async fn end(mut self) {
        self.sitting.abort();
        // It has been told to end: how it did does not matter.
        let _ = (&mut self.handle).await;
    }
}

impl Drop for Task {
    fn drop(&mut self) {
        self.handle.abort();
    }
}

type Post = mpsc::UnboundedSender<Event>;

/// Looks for the tables of this network until it is dropped.
pub(super) struct Looking {
    _ends_with_this: OnDrop,
}

impl Looking {
    pub(super) fn start(own: Identity, name: Name, post: Post) -> Looking {
        let looking = tokio::spawn(async move {
            let found = |tables| tell(&post, Event::Tables(tables));
            // Without a network there are no tables on it; a pasted line says more.
            if let Err(error) = look(&own, &name, found).await {
                tracing::warn!(%error, "no tables are looked for");
            }
        });
        Looking { _ends_with_this: OnDrop(looking.abort_handle()) }
    }
}

/// Ends a task when what waits for it is dropped.
struct OnDrop(AbortHandle);

impl Drop for OnDrop {
    fn drop(&mut self) {
        self.0.abort();
    }
}

fn tell(post: &Post, event: Event) {
    // The screens have gone; the task is ended with them.
    let _ = post.send(event);
}
