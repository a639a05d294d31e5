package session

// Model is the name of the model that answered last in this thread, as the
// transcript spells it; "" if it names none.
func (s *Session) Model() string { return threadModel(s.Conversation(), s.thread) }
